// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const refundRules = {
  amount: { pattern: '\\d{1,10}(\\.\\d{1,2})?' },
  reason: { maxLength: 500, required: true },
} as const;
export const walletActRules = { amount: { pattern: '(?=.*[1-9])\\d{1,10}(\\.\\d{1,2})?', required: true } } as const;
