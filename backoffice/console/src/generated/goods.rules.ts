// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const goodsRules = {
  name: { maxLength: 100, required: true },
  initial: { pattern: '[A-Z#]', required: true },
  description_html: { maxLength: 30000 },
  notice: { maxLength: 5000 },
  redeem: { maxLength: 5000 },
  sort: { min: 0, max: 1000000, required: true },
  'limits.min': { min: 1, max: 1000000, required: true },
  'limits.max': { min: 1, max: 1000000, required: true },
  'limits.per_user': { min: 1, max: 1000000 },
  'limits.per_day': { min: 1, max: 1000000 },
} as const;
export const specRules = {
  key: { pattern: '[\\w.+\\-]{1,60}', required: true },
  name: { maxLength: 100, required: true },
  face_value: { maxLength: 60, required: true },
  'prices.CNY': { pattern: '(?!0+(\\.0+)?$)\\d{1,9}(\\.\\d{1,2})?' },
  max_qty: { min: 1, max: 1000000, required: true },
} as const;
export const stepRules = {
  from: { min: 2, max: 1000000, required: true },
  'prices.CNY': { pattern: '(?!0+(\\.0+)?$)\\d{1,9}(\\.\\d{1,2})?' },
} as const;
export const customRules = {
  min: { min: 1, max: 1000000, required: true },
  max: { min: 1, max: 1000000, required: true },
  step: { min: 1, max: 1000000, required: true },
  unit: { maxLength: 30, required: true },
} as const;
export const orderFieldRules = {
  key: { pattern: '\\w{1,40}', required: true },
  label: { maxLength: 60, required: true },
  pattern: { maxLength: 300 },
} as const;
