import { matchRoute } from './match-route';

const routes = ['/goods/:id', '/goods', '/goods/new', '/order/detail/:id', '/files/*', '/tag/:name?'].map((path) => ({
  path,
}));

it.each([
  ['/goods', '/goods'],
  ['/goods/', '/goods'],
  ['/Goods', '/goods'],
  ['/goods/7', '/goods/:id'],
  ['/goods/new', '/goods/new'],
  ['/order/detail/a%2Fb', '/order/detail/:id'],
  ['/files/a/b/c', '/files/*'],
  ['/tag', '/tag/:name?'],
  ['/tag/x', '/tag/:name?'],
  ['/order/detail', undefined],
  ['/goods/7/more', undefined],
  ['/', undefined],
])('%s is a page of %s', (address, expected) => {
  expect(matchRoute(routes, address)?.path).toBe(expected);
});
