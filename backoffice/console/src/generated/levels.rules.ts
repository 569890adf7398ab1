// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const levelRules = {
  name: { maxLength: 30, required: true },
  rank: { min: 1, max: 1000, required: true },
  percent: { min: 1, max: 100, required: true },
  'thresholds.CNY': { pattern: '(?!0+(\\.0+)?$)\\d{1,9}(\\.\\d{1,2})?' },
  period_days: { min: 1, max: 3650 },
} as const;
export const levelPriceRules = { 'prices.CNY': { pattern: '(?!0+(\\.0+)?$)\\d{1,9}(\\.\\d{1,2})?' } } as const;
