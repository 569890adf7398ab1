// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const inviteRules = {
  percent: { min: 1, max: 50, required: true },
  orders: { min: 1, max: 100, required: true },
  within_days: { min: 1, max: 365, required: true },
  hold_days: { min: 1, max: 90, required: true },
  people_per_day: { min: 1, max: 1000, required: true },
  'per_day.CNY': { pattern: '(?=.*[1-9])\\d{1,7}(\\.\\d{1,2})?', required: true },
} as const;
