// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const articleRules = {
  title: { maxLength: 100, required: true },
  content: { maxLength: 30000 },
  sort: { min: 0, max: 1000000, required: true },
} as const;
export const stockRules = {
  low_stock: { min: 0, max: 1000000, required: true },
  add: { min: -1000000, max: 1000000 },
} as const;
export const freeCodesRules = { tail: { maxLength: 20 } } as const;
export const voidCodesRules = { reason: { maxLength: 200, required: true } } as const;
export const shareCodeRules = { text: { maxLength: 20000 }, stock: { min: 0, max: 1000000 } } as const;
export const batchRules = {
  name: { maxLength: 60 },
  supplier: { maxLength: 60 },
  cost: { pattern: '\\d{1,10}(\\.\\d{1,2})?' },
} as const;
export const couponRules = {
  name: { maxLength: 60, required: true },
  percent: { min: 0, max: 99, required: true },
  'amounts.CNY.min_price': { pattern: '(\\d{1,7}(\\.\\d{1,2})?)?' },
  expire_day: { min: 0, max: 3650, required: true },
  total: { min: 1, max: 100000000 },
  redeem_code: { maxLength: 64 },
} as const;
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
export const bannerRules = {
  title: { maxLength: 100, required: true },
  image_alt: { maxLength: 200, required: true },
  sort: { min: 0, max: 1000000, required: true },
} as const;
export const moduleRules = { subtitle: { maxLength: 200 }, countdown_hours: { min: 1, max: 8760 } } as const;
export const itemRules = { title: { maxLength: 100 } } as const;
export const levelRules = {
  name: { maxLength: 30, required: true },
  rank: { min: 1, max: 1000, required: true },
  percent: { min: 1, max: 100, required: true },
  'thresholds.CNY': { pattern: '(?!0+(\\.0+)?$)\\d{1,9}(\\.\\d{1,2})?' },
  period_days: { min: 1, max: 3650 },
} as const;
export const levelPriceRules = { 'prices.CNY': { pattern: '(?!0+(\\.0+)?$)\\d{1,9}(\\.\\d{1,2})?' } } as const;
export const holdRules = {
  'from.CNY': { pattern: '((?=.*[1-9])\\d{1,7}(\\.\\d{1,2})?)?' },
  new_account_hours: { min: 1, max: 8760 },
  codes_per_hour: { min: 1, max: 1000 },
  countries: { pattern: '([A-Z]{2}(, ?[A-Z]{2})*)?', maxLength: 200 },
  minutes: { min: 5, max: 30, required: true },
} as const;
export const refundRules = {
  amount: { pattern: '\\d{1,10}(\\.\\d{1,2})?' },
  reason: { maxLength: 500, required: true },
} as const;
export const walletActRules = { amount: { pattern: '(?=.*[1-9])\\d{1,10}(\\.\\d{1,2})?', required: true } } as const;
export const orderFilterRules = {
  amount_from: { pattern: '\\d{1,9}(\\.\\d{1,2})?' },
  amount_to: { pattern: '\\d{1,9}(\\.\\d{1,2})?' },
} as const;
export const questionRules = { question: { maxLength: 300, required: true } } as const;
export const deliveryRules = { note: { maxLength: 500 } } as const;
export const noteRules = { note: { maxLength: 500, required: true } } as const;
export const enquiryRules = { answer: { maxLength: 2000, required: true } } as const;
export const giftRules = { coupon: { maxLength: 60, required: true } } as const;
