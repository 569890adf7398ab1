type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Maps each path (`specs.0.prices.CNY`) to its text, number or boolean. Empty values are omitted. */
function valuesByPath(value: unknown, path = '', leaves = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) valuesByPath(part, path ? `${path}.${name}` : name, leaves);
  else if (value !== null && value !== undefined && value !== '') leaves.set(path, String(value));
  return leaves;
}

export function differences(...values: unknown[]): Array<{ path: string; texts: string[] }> {
  const leaves = values.map((value) => valuesByPath(value));
  const paths = new Set(leaves.flatMap((valuesOfPath) => [...valuesOfPath.keys()]));
  return [...paths].flatMap((path) => {
    const texts = leaves.map((valuesOfPath) => valuesOfPath.get(path) ?? '');
    return texts.some((text) => text !== texts[0]) ? [{ path, texts }] : [];
  });
}

/** Returns `theirs` with the changes from `base` to `mine`: field by field, lists as a whole. */
export function rebase<T>(base: T, mine: T, theirs: T): T {
  if (isSame(base, mine)) return theirs;
  if (!isFields(base) || !isFields(mine) || !isFields(theirs)) return mine;
  const names = Object.keys({ ...theirs, ...mine });
  return Object.fromEntries(names.map((name) => [name, rebase(base[name], mine[name], theirs[name])])) as T;
}
