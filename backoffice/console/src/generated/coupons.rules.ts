// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const couponRules = {
  name: { maxLength: 60, required: true },
  percent: { min: 0, max: 99, required: true },
  'amounts.CNY.min_price': { pattern: '(\\d{1,7}(\\.\\d{1,2})?)?' },
  expire_day: { min: 0, max: 3650, required: true },
  total: { min: 1, max: 100000000 },
  redeem_code: { maxLength: 64 },
} as const;
