import type { RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import type { Shape } from './routes';

export interface LargeRequest {
  what: string;
  query?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

/** Node accepts no more in the line and headers of a request. */
const HEAD_BYTES = 15_000;

/** Text that some parsers handle badly, of about `length` characters. */
const nasty: Record<string, (length: number) => string> = {
  letters: (length) => `${'a'.repeat(length - 1)}!`,
  dots: (length) => `a@${'.'.repeat(length - 3)}@`,
  spaces: (length) => `x${' '.repeat(length - 2)}x`,
  slashes: (length) => `${'/'.repeat(length - 1)}x`,
  digits: (length) => `${'1'.repeat(length - 1)}x`,
  lines: (length) => 'a\n'.repeat(length / 2),
  commas: (length) => 'a,'.repeat(length / 2),
  quotes: (length) => `"${'""'.repeat(length / 2 - 1)}`,
  nested: (length) => '<b>'.repeat(length / 3),
  headings: (length) => '<h2>'.repeat(length / 4),
  brackets: (length) => '<'.repeat(length),
  attributes: (length) => `<p${' a="'.repeat(length / 4)}`,
  links: (length) => '<a href="https://a.example/">x</a>'.repeat(Math.ceil(length / 34)).slice(0, length),
  entities: (length) => '&amp;'.repeat(length / 5),
  escapes: (length) => `{"a":"${'\\u0000'.repeat(length / 6)}"}`,
  objects: (length) => `${'{"a":'.repeat(length / 6)}0${'}'.repeat(length / 6)}`,
  json: (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  keys: (length) => `{${Array.from({ length: length / 11 }, (_, at) => `"k${100_000 + at}":0`).join(',')}}`,
  chinese: (length) => '行'.repeat(length),
  astral: (length) => '𝕏'.repeat(length / 2),
};

/** Texts of any length that a pattern may backtrack on, because all rules of a schema are checked even if a text is too long. */
const longWords = ['letters', 'dots', 'spaces', 'slashes', 'digits', 'chinese'];
/** Two words in turn for one text of a schema. Every run also puts each word into all texts of a body at once. */
const wordsOf = (index: number) => [0, 3].map((step) => longWords[(index + step) % longWords.length] as string);

function once<Input, Output>(work: (input: Input) => Output): (input: Input) => Output {
  const outputs = new Map<Input, Output>();
  return (input) => {
    if (!outputs.has(input)) outputs.set(input, work(input));
    return outputs.get(input) as Output;
  };
}
const fillWith = (name: string, length: number) => (nasty[name] as (length: number) => string)(length);
const testOf = once((pattern: string) => {
  const fits = new RegExp(pattern, 'u');
  return once((text: string) => fits.test(text));
});

const words = ['1.00', '100', 'a', 'A', 'abc', '/media/a.webp', '2026-01-01T00:00:00Z', '2026-01-01', ''];
const ordinary = [...words, 'f'.repeat(64)];

function largest(schema: TSchema, fill: (length: number) => string, most: number, scale: number, index = 0): unknown {
  const shape = schema as Shape;
  if ('const' in shape) return shape.const;
  if (shape.enum) return shape.enum[index % shape.enum.length];
  if (shape.anyOf) return largest(shape.anyOf[0] as TSchema, fill, most, scale, index);
  if (shape.type === 'integer' || shape.type === 'number') return Math.min(shape.maximum ?? 1000, 1000);
  if (shape.type === 'boolean') return true;
  if (shape.type === 'array') {
    const count = Math.max(1, Math.ceil(Math.min(shape.maxItems ?? 2000, 2000) * scale));
    return Array.from({ length: count }, (_, at) => largest(shape.items as TSchema, fill, most, scale, at));
  }
  if (shape.type === 'object')
    return Object.fromEntries(
      Object.entries(shape.properties ?? {}).map(([name, property]) => [
        name,
        largest(property, fill, most, scale, index),
      ]),
    );
  const length = Math.max(shape.minLength ?? 0, Math.floor(Math.min(shape.maxLength ?? most, most) * scale), 4);
  const text = fill(length).slice(0, Math.max(shape.maxLength ?? length, 1));
  return shape.pattern ? ([text, `k${index}`, ...ordinary].find(testOf(shape.pattern)) ?? text) : text;
}

/** Grows until it fills the limit, because nested lists would be far too large at once. */
function withinLimit(schema: TSchema, fill: (length: number) => string, limit: number): string {
  let fits = '{}';
  for (let scale = 0.001; scale < 2; scale *= 1.6) {
    const text = JSON.stringify(largest(schema, fill, limit, Math.min(scale, 1)));
    if (Buffer.byteLength(text) > limit) break;
    fits = text;
  }
  return fits;
}

function texts(schema: TSchema, way: string[] = []): string[][] {
  const { type, properties, items, anyOf } = schema as Shape;
  if (type === 'string') return [way];
  if (anyOf) return texts(anyOf[0] as TSchema, way);
  if (type === 'array' && items) return texts(items, [...way, '0']);
  return Object.entries(properties ?? {}).flatMap(([name, property]) => texts(property, [...way, name]));
}

function put(value: unknown, [name = '', ...rest]: string[], text: string): void {
  const holder = value as Record<string, unknown>;
  if (rest.length === 0) holder[name] = text;
  else put(holder[name], rest, text);
}

/**
 * Generated from the route's limits and schemas, so that new routes are covered automatically. Bodies of the usual size are parsed the same
 * way for all routes, so only routes with their own limit or without a schema get the shapes that are hard to parse.
 */
export function* largeRequests(route: RouteOptions, usualLimit: number): Generator<LargeRequest> {
  const { body, querystring } = (route.schema ?? {}) as Record<'body' | 'querystring', TSchema | undefined>;
  const limit = route.bodyLimit ?? usualLimit;
  const isUsual = limit <= usualLimit && body !== undefined;
  yield { what: 'nothing' };
  for (const [index, field] of Object.keys((querystring as Shape | undefined)?.properties ?? {}).entries())
    for (const name of wordsOf(index)) {
      const text = encodeURIComponent(fillWith(name, HEAD_BYTES)).slice(0, HEAD_BYTES);
      yield { what: `${name} as ?${field}`, query: `${field}=${text.replace(/%[^%]?$/, '')}` };
    }
  const many = Array.from({ length: 2500 }, (_, at) => `a${at}=`).join('&');
  yield { what: 'many parameters', query: many.slice(0, HEAD_BYTES) };
  if (route.method === 'GET') return;
  if (!isUsual)
    for (const name of Object.keys(nasty)) yield { what: name, body: fillWith(name, limit - 8).slice(0, limit) };
  if (!body) return;
  const small = withinLimit(body, () => 'a', limit / 2);
  const ways = texts(body);
  for (const name of isUsual ? longWords : Object.keys(nasty)) {
    const fill = once((length: number) => fillWith(name, length));
    yield { what: `the largest of ${name}`, body: withinLimit(body, fill, limit) };
  }
  for (const [index, way] of ways.entries())
    for (const name of wordsOf(index)) {
      const text = fillWith(name, Math.floor((limit - small.length) * 0.9));
      const value = JSON.parse(small) as unknown;
      put(value, way, text);
      yield { what: `${name} as ${way.join('.')}`, body: JSON.stringify(value) };
    }
}

const headerNames = [
  'cookie',
  'accept-language',
  'user-agent',
  'authorization',
  'locale',
  'currency',
  'x-forwarded-for',
  'accept',
  'accept-encoding',
  'if-none-match',
  'if-modified-since',
  'range',
  'traceparent',
  'host',
  'origin',
];
export const largeHeaders: LargeRequest[] = Object.entries(nasty).flatMap(([name, fill]) => {
  const text = fill(HEAD_BYTES).replace(/[^\x20-\x7e]/g, '.');
  return headerNames.map((header) => ({ what: `${name} as ${header}`, headers: { [header]: text } }));
});

const parts = ['/', 'a', '1', '%2f', '%E8', '../', './', 'a/', '.', '1.', '-', ';a=', '%00', '@'];
export const longPaths: string[] = parts.map((part) => `${part.repeat(HEAD_BYTES / part.length)}x`);
