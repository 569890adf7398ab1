// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const orderFilterRules = {
  amount_from: { pattern: '\\d{1,9}(\\.\\d{1,2})?' },
  amount_to: { pattern: '\\d{1,9}(\\.\\d{1,2})?' },
} as const;
