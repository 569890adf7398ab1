// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const articleRules = {
  title: { maxLength: 100, required: true },
  content: { maxLength: 30000 },
  sort: { min: 0, max: 1000000, required: true },
} as const;
