import fc from 'fast-check';
import type { TSchema } from 'typebox';
import type { ApiRoute, Shape } from '../support/routes';

/** A request generated from a route's schemas: some of its values are valid, some hostile, some missing. */
export interface HostileRequest {
  route: ApiRoute;
  url: string;
  body: string | undefined;
  headers: Record<string, string>;
  who: number | undefined;
  address: string;
}

export type Pool = Record<string, readonly unknown[]>;

const strings = [
  '',
  "' or 1=1 --",
  "\\'; select pg_sleep(9); --",
  'a\u0000b',
  '../../etc/passwd',
  '..%2f..%2fapp-secret',
  '{{7*7}}<%= 7 %>',
  '%',
  '\r\nX-Evil: 1',
  '\u202Egnp.exe',
  '\uD800',
  '𝕏'.repeat(60),
  'A'.repeat(5000),
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '//evil.example',
  '1e309',
  'NaN',
  '9999999999999999999',
  '__proto__',
  '2026-02-30',
  '１２３',
];
const numbers = [0, -1, 1e9, 1e308, 2 ** 31, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY];
const things: unknown[] = [
  null,
  [],
  {},
  [[[[[]]]]],
  { length: 1e9 },
  { $gt: '' },
  { toString: 1 },
  { constructor: { prototype: 1 } },
  Array.from({ length: 300 }, () => 'x'),
];
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...strings),
  fc.constantFrom<unknown>(...numbers),
  fc.constantFrom<unknown>(...things),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double(),
  fc.jsonValue(),
);

function fitting(name: string, schema: TSchema, pool: Pool): fc.Arbitrary<unknown> {
  const poolValues = pool[name];
  if (poolValues?.length) return fc.constantFrom(...poolValues);
  const shape = schema as Shape;
  if ('const' in shape) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((alternative) => fitting(name, alternative, pool)));
  if (shape.type === 'integer' || shape.type === 'number') {
    const min = Math.max(shape.minimum ?? 0, -1000);
    return fc.integer({ min, max: Math.max(min, Math.min(shape.maximum ?? 20, min + 20)) });
  }
  if (shape.type === 'string') {
    return fc.string({ minLength: shape.minLength ?? 0, maxLength: Math.min(shape.maxLength ?? 20, 40) });
  }
  if (shape.type === 'boolean') return fc.boolean();
  if (shape.type === 'array' && shape.items) return fc.array(fitting(name, shape.items, pool), { maxLength: 3 });
  if (shape.type === 'object') return objectOf(schema, pool);
  return fc.jsonValue();
}

const ABSENT = Symbol('absent');
function objectOf(schema: TSchema, pool: Pool): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries((schema as Shape).properties ?? {});
  if (!fields.length) return fc.dictionary(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), { maxKeys: 3 });
  const values = fields.map(([name, field]) =>
    fc.oneof(
      { weight: 8, arbitrary: fitting(name, field, pool) },
      { weight: 2, arbitrary: hostileValue },
      { weight: 1, arbitrary: fc.constant<unknown>(ABSENT) },
    ),
  );
  const extra = fc.option(
    fc.tuple(fc.constantFrom('balance', 'is_real', '__proto__', 'total_amount', 'user_id', 'x'), hostileValue),
    {
      freq: 6,
    },
  );
  return fc.tuple(fc.tuple(...values), extra).map(([made, more]) => {
    const entries = fields.map(([name], index) => [name, made[index]] as const).filter(([, value]) => value !== ABSENT);
    return Object.fromEntries(more ? [...entries, more] : entries);
  });
}

const headerValue = fc.constantFrom(
  '',
  'x',
  'k'.repeat(8),
  'k'.repeat(65),
  'EUR',
  'en',
  '../..',
  '" or 1=1',
  'a,b',
  '0',
);

export function hostileRequest(routes: ApiRoute[], pool: Pool, users: number): fc.Arbitrary<HostileRequest> {
  // One arbitrary per route, created once, because creating it for each request takes longer than the request.
  const ofEach = routes.map((route) =>
    fc
      .record({
        params: route.params ? objectOf(route.params, pool) : fc.constant<Record<string, unknown>>({}),
        query: route.query ? objectOf(route.query, pool) : fc.constant<Record<string, unknown>>({}),
        body: route.body
          ? fc.oneof({ weight: 20, arbitrary: objectOf(route.body, pool) }, { weight: 1, arbitrary: hostileValue })
          : fc.option(hostileValue, { freq: 3, nil: undefined }),
        who: fc.option(fc.nat(users - 1), { freq: 5, nil: undefined }),
        key: fc.oneof(
          { weight: 6, arbitrary: fc.stringMatching(/^[a-z0-9]{8,20}$/) },
          { weight: 1, arbitrary: headerValue },
        ),
        locale: fc.constantFrom('zh-CN', 'en', 'fr', "'"),
        currency: fc.constantFrom('CNY', 'CNY', 'CNY', 'USD', 'USD', 'EUR', ''),
        address: fc.nat(60_000),
        type: fc.oneof(
          { weight: 30, arbitrary: fc.constant('application/json') },
          { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/xml', 'multipart/form-data', 'x') },
        ),
      })
      .map(({ params, query, body, who, key, locale, currency, address, type }) => {
        const text = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
        const wellFormed = (value: string) => encodeURIComponent(Buffer.from(value).toString());
        const url = route.url.replace(/:(\w+)/g, (_all, name: string) => wellFormed(text(params[name])).slice(0, 90));
        const search = Object.entries(query).map(([name, value]) => `${wellFormed(name)}=${wellFormed(text(value))}`);
        const hasBody = body !== undefined && route.method !== 'GET';
        return {
          route,
          url: search.length ? `${url}?${search.join('&')}` : url,
          body: hasBody ? (JSON.stringify(body) ?? '') : undefined,
          headers: {
            locale,
            ...(currency ? { currency } : {}),
            'idempotency-key': key,
            ...(hasBody ? { 'content-type': type } : {}),
          },
          who,
          address: `10.66.${address >> 8}.${address & 255}`,
        };
      }),
  );
  return fc.oneof(...ofEach);
}
