/** JSON with sorted names, because requests, forms and JSONB order them differently. Undefined becomes null. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_name, one: unknown) =>
    one && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
