/** JSON with sorted names, because requests, forms and JSONB order them differently. Undefined becomes null. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_name, item: unknown) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
