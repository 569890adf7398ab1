// Written by `npm run calls -w server` from the schemas; calls.test.ts keeps it so.

export const bannerRules = {
  title: { maxLength: 100, required: true },
  image_alt: { maxLength: 200, required: true },
  sort: { min: 0, max: 1000000, required: true },
} as const;
export const moduleRules = { subtitle: { maxLength: 200 }, countdown_hours: { min: 1, max: 8760 } } as const;
export const itemRules = { title: { maxLength: 100 } } as const;
