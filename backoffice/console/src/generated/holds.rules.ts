// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const holdRules = {
  'from.CNY': { pattern: '((?=.*[1-9])\\d{1,7}(\\.\\d{1,2})?)?' },
  new_account_hours: { min: 1, max: 8760 },
  codes_per_hour: { min: 1, max: 1000 },
  countries: { pattern: '([A-Z]{2}(, ?[A-Z]{2})*)?', maxLength: 200 },
  minutes: { min: 5, max: 30, required: true },
} as const;
