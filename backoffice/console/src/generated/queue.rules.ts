// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const questionRules = { question: { maxLength: 300, required: true } } as const;
export const deliveryRules = { note: { maxLength: 500 } } as const;
