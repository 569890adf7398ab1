// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

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
