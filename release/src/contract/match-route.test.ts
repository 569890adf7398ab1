import fc from 'fast-check';
import { matchRoutes } from 'react-router';
import { matchRoute } from './match-route';

const routesOf = (paths: readonly string[]) => paths.map((path) => ({ path }));
const routes = routesOf(['/goods/:id', '/goods', '/goods/new', '/order/detail/:id', '/files/*', '/tag/:name?']);

it.each([
  ['/goods', '/goods'],
  ['/goods/', '/goods'],
  ['/Goods', '/goods'],
  ['/goods/7', '/goods/:id'],
  ['/goods/new', '/goods/new'],
  ['/order/detail/a%2Fb', '/order/detail/:id'],
  ['/files/a/b/c', '/files/*'],
  ['/files', '/files/*'],
  ['/tag', '/tag/:name?'],
  ['/tag/x', '/tag/:name?'],
  ['/order/detail', undefined],
  ['/goods/7/more', undefined],
  ['/%E0%A4%A', undefined],
  ['/', undefined],
])('matches %s to %s', (address, expected) => {
  expect(matchRoute(routes, address)?.path).toBe(expected);
});

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

it('chooses the route that React Router chooses', () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: 6 }), address, (paths, pathname) => {
      const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
      const known = routesOf(paths);
      const expected = matchRoutes(known, pathname)?.at(-1)?.route;
      warn.mockRestore();
      expect(matchRoute(known, pathname)).toBe(expected ?? null);
    }),
    { numRuns: 3_000 },
  );
});
