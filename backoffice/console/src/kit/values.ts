type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Every path to a value in nested fields, such as `limits.min`. Items of lists are excluded. */
export type PathOf<T> = T extends readonly unknown[]
  ? never
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${PathOf<NonNullable<T[K]>>}` }[keyof T & string]
    : never;

export const valueAt = (values: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, step) => (isFields(at) ? at[step] : undefined), values);

/** Returns the values with a new one at the path; undefined removes the field. */
export function withValue<T extends object>(values: T, path: string, value: unknown): T {
  const [step = '', ...rest] = path.split('.');
  const inner = Reflect.get(values, step);
  const next = rest.length === 0 ? value : withValue(isFields(inner) ? inner : {}, rest.join('.'), value);
  const changed = (Array.isArray(values) ? [...values] : { ...values }) as T;
  if (next === undefined) Reflect.deleteProperty(changed, step);
  else Reflect.set(changed, step, next);
  return changed;
}
