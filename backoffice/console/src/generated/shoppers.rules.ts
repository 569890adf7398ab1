// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const noteRules = { note: { maxLength: 500, required: true } } as const;
export const enquiryRules = { answer: { maxLength: 2000, required: true } } as const;
export const couponRules = { coupon: { maxLength: 60, required: true } } as const;
