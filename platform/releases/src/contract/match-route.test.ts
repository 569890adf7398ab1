import fc from 'fast-check';
import { matchRoutes } from 'react-router';
import { repetitions } from '../../../../scripts/jest/test-scale';
import { addressOfRoute, isRoutePattern, matchRoute, routeParameters, routesOverlap } from './match-route';

const routesOf = (paths: readonly string[]) => paths.map((path) => ({ path }));
const word = fc.constantFrom('a', 'b', 'goods', 'New');
const segment = fc.oneof({ weight: 3, arbitrary: word }, fc.constantFrom(':id', ':key', ':id?', 'a?', 'goods?'));
const path = fc
  .tuple(fc.array(segment, { maxLength: 4 }), fc.boolean())
  .map(([segments, splat]) => `/${[...segments, ...(splat ? ['*'] : [])].join('/')}`);
const part = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.constantFrom('A', 'GOODS', '7', '%E5%95%86', 'a%2Fb', '%61', '%', ''),
);
const address = fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`);

it('matchRoute chooses the same route as React Router', () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: 6 }), address, (paths, pathname) => {
      const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
      const known = routesOf(paths);
      const expected = matchRoutes(known, pathname)?.at(-1)?.route;
      warn.mockRestore();
      expect(matchRoute(known, pathname)).toBe(expected ?? null);
    }),
    { numRuns: repetitions(3_000) },
  );
});

it('routesOverlap is true exactly when React Router matches some address to both paths', () => {
  // Three different words per segment are enough: one of each pattern, and one of neither.
  const words = ['a', 'b', 'goods', 'New', 'other'];
  const longest = 4;
  const addresses = ['/'];
  for (let from = 0, length = 0; length < longest; length += 1) {
    const shorter = addresses.slice(from);
    from = addresses.length;
    for (const start of shorter) for (const next of words) addresses.push(`${start === '/' ? '' : start}/${next}`);
  }
  const matching = new Map<string, Set<string>>();
  const addressesOf = (pattern: string) => {
    const known = matching.get(pattern);
    if (known) return known;
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const found = new Set(addresses.filter((each) => matchRoutes([{ path: pattern }], each)));
    warn.mockRestore();
    matching.set(pattern, found);
    return found;
  };
  const pattern = fc
    .array(segment, { maxLength: 3 })
    .chain((segments) => fc.boolean().map((splat) => `/${[...segments, ...(splat ? ['*'] : [])].join('/')}`));
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      const others = addressesOf(other);
      const isShared = [...addressesOf(one)].some((each) => others.has(each));
      expect(routesOverlap(one, other)).toBe(isShared);
    }),
    { numRuns: repetitions(3_000) },
  );
});

it.each([
  ['/home', '/home', {}],
  ['/goods/:id', '/goods/7', { id: '7' }],
  ['/tag/:name?/:page', '/tag/a%20b/2', { name: 'a b', page: '2' }],
  ['/tag/:name?/:page', '/tag/2', { page: '2' }],
])(
  'routeParameters reads the parameters of %s at %s, and addressOfRoute restores the address',
  (path, address, parameters) => {
    expect(routeParameters(path, address)).toEqual(parameters);
    expect(addressOfRoute(path, parameters)).toBe(address);
    expect(addressOfRoute(path, { ...parameters, other: 'x' })).toBeNull();
  },
);

it.each(['/', '/goods', '/goods/:id', '/tag/:name?', '/files/*', '/*', '/a.b/c-d'])(
  'isRoutePattern accepts %s',
  (pattern) => {
    expect(isRoutePattern(pattern)).toBe(true);
  },
);

it.each([
  ['no leading slash', 'goods'],
  ['a partly dynamic segment', '/a-:id'],
  ['a partly dynamic segment', '/:id.html'],
  ['a "*" before the end', '/a/*/b'],
  ['a "*" inside a segment', '/a*'],
  ['an encoded character', '/%67oods'],
  ['another origin', '//evil.example/x'],
  ['a trailing slash', '/goods/'],
  ['a parent folder', '/goods/../ops'],
  ['a query', '/goods?x=1'],
  ['too many optional segments', '/a?/b?/c?/d?/e?'],
])('isRoutePattern refuses a path with %s: %s', (_, pattern) => {
  expect(isRoutePattern(pattern)).toBe(false);
});
