import type { TSchema } from 'typebox';
import type { ApiRoute, Shape } from '../support/routes';

/** Fields with their JSON types: { 'list.*.price': 'null|string' }; optional fields include 'undefined'. */
export interface CallShape {
  takes: Record<string, string>;
  /** Fields of the response; '' is the whole response. */
  answer: Record<string, string>;
  /** The date from which a field may be removed ('2027-01-31'); '' for the call itself. */
  retires?: Record<string, string>;
}

const typeOfValue = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;

/** Adds to `retires` the dates of the fields that have one. */
function fieldsOf(retires: Map<string, string>, ...schemas: Array<TSchema | undefined>): Record<string, string> {
  const fields = new Map<string, Set<string>>();
  const add = (path: string, schema: TSchema): void => {
    const { type, items, anyOf, properties, patternProperties, required = [], ...rest } = schema as Shape;
    const types = fields.get(path) ?? new Set<string>();
    fields.set(path, types);
    if (rest.retires) retires.set(path, rest.retires);
    const inside = (name: string) => (path === '' ? name : `${path}.${name}`);
    if (anyOf) {
      const objects = (anyOf as Shape[]).flatMap(({ properties: object }) => (object ? [object] : []));
      for (const alternative of anyOf) add(path, alternative);
      // A field that only some of the alternative objects have is optional.
      for (const name of objects.flatMap((object) => Object.keys(object)))
        if (objects.some((object) => !object[name])) fields.get(inside(name))?.add('undefined');
      return;
    }
    if ('const' in rest) types.add(typeOfValue(rest.const));
    else if (rest.enum) for (const value of rest.enum) types.add(typeOfValue(value));
    else types.add(type ?? 'unknown');
    if (items) add(inside('*'), items);
    for (const property of Object.values(patternProperties ?? {})) add(inside('*'), property);
    for (const [name, property] of Object.entries(properties ?? {})) {
      add(inside(name), property);
      if (!required.includes(name)) fields.get(inside(name))?.add('undefined');
    }
  };
  for (const schema of schemas) if (schema) add('', schema);
  const lines = [...fields].map(([path, types]) => [path, [...types].sort().join('|')] as const);
  return Object.fromEntries(lines.sort(([left], [right]) => (left < right ? -1 : 1)));
}

export function callShapes(routes: readonly ApiRoute[]): Record<string, CallShape> {
  const shapes = routes
    .filter((route) => route.data)
    .map(({ method, url, query, body, data, retires: ofCall }) => {
      const retires = new Map(ofCall ? [['', ofCall]] : []);
      const { '': _, ...takes } = fieldsOf(retires, query, body);
      const answer = fieldsOf(retires, data);
      return [
        `${method} ${url}`,
        { takes, answer, ...(retires.size > 0 && { retires: Object.fromEntries(retires) }) },
      ] as const;
    });
  return Object.fromEntries(shapes.sort(([left], [right]) => (left < right ? -1 : 1)));
}

const typesOf = (text: string) => new Set(text.split('|'));

const beyond = (types: string, allowed: string): string[] => {
  const all = typesOf(allowed);
  if (all.has('unknown')) return [];
  return [...typesOf(types)].filter((type) => !all.has(type) && !(type === 'integer' && all.has('number')));
};

const asNumbers = (types: string) => types.replace(/\binteger\b/g, 'number');

const parentOf = (field: string) => field.slice(0, Math.max(0, field.lastIndexOf('.')));

/** One line for each removal before its date: a call, a field of a response, or an input. `today` is like '2027-01-31'. */
export function removals(
  released: Readonly<Record<string, CallShape>>,
  present: Readonly<Record<string, CallShape>>,
  today: string,
): string[] {
  return Object.entries(released).flatMap(([call, { takes, answer, retires = {} }]) => {
    const isDue = (field: string): boolean => {
      const date = retires[field];
      return (date !== undefined && date <= today) || (field !== '' && isDue(parentOf(field)));
    };
    const presentCall = present[call];
    if (!presentCall) return isDue('') ? [] : [`${call} is gone`];
    const answered = Object.entries(answer).flatMap(([field, types]) => {
      const present = presentCall.answer[field];
      if (isDue(field)) return [];
      if (present === undefined) return [`${call}: "${field}" is no longer answered`];
      const added = beyond(asNumbers(present), asNumbers(types));
      return added.length > 0 ? [`${call}: "${field}" may now be ${added.join(' or ')}`] : [];
    });
    const inputs = Object.entries(takes).flatMap(([field, types]) => {
      const present = presentCall.takes[field];
      if (isDue(field)) return [];
      if (present === undefined) return [`${call}: "${field}" is no longer taken`];
      const less = beyond(types, present);
      return less.length > 0 ? [`${call}: "${field}" may no longer be ${less.join(' or ')}`] : [];
    });
    const isSent = (field: string) => field === '' || takes[field] !== undefined;
    const required = Object.entries(presentCall.takes)
      .filter(([field, types]) => !takes[field] && !typesOf(types).has('undefined') && isSent(parentOf(field)))
      .map(([field]) => `${call}: "${field}" is now required`);
    return [...answered, ...inputs, ...required];
  });
}
