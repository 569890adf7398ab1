/** The remotes' contracts have the routes and flags of the specification, section 2. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Entry {
  path: string;
  label: Record<string, string>;
  order: number;
}
interface Contract {
  name: string;
  routes: Array<{ path: string; title: Record<string, string>; flags: Record<string, boolean> }>;
  tabBar?: Entry[];
  drawer?: Entry[];
}
const root = path.resolve(__dirname, '..');
const contracts = readdirSync(root)
  .filter((folder) => folder.startsWith('mfe-'))
  .map((folder) => JSON.parse(readFileSync(path.join(root, folder, 'remote.json'), 'utf8')) as Contract);
const routes = contracts.flatMap((contract) => contract.routes);
const entriesOf = (kind: 'tabBar' | 'drawer') =>
  contracts.flatMap((contract) => contract[kind] ?? []).sort((left, right) => left.order - right.order);

const title = { showTitle: true };
const guarded = { requiresLogin: true, tabBar: undefined };
const withTabs = { tabBar: true, topBar: true, fixed: true };

it.each([
  ['/home', 'Home', { ...withTabs, search: true }],
  ['/goods', 'All games', { ...title, back: true, keepAlive: false, tabBar: undefined }],
  ['/goods/:id', 'Product', { transparent: true, fixed: true, back: true, tabBar: undefined }],
  ['/order', 'My orders', { ...withTabs, ...title, requiresLogin: true }],
  ['/order/detail/:id', 'Order detail', { ...guarded, ...title, back: true }],
  ['/search', 'Search', { back: true }],
  ['/user', 'My account', { ...withTabs, requiresLogin: true }],
  ['/user/wallet', 'My wallet', guarded],
  ['/user/coupon', 'My coupons', guarded],
  ['/user/recharge', 'Balance top-up', guarded],
  ['/user/log', 'Funds log', guarded],
  ['/user/password', 'Account security', guarded],
  ['/user/setting', 'Settings', guarded],
  ['/article/agreement', 'User service agreement', { ...title, requiresLogin: undefined }],
  ['/article/guide', 'Children’s personal information protection guide', title],
  ['/article/privacy', 'Privacy policy', title],
  ['/article/:id', 'Article', title],
  ['/business', 'Business cooperation', { requiresLogin: undefined }],
  ['/youxi', 'Games', { layout: false }],
])('has the route %s with its flags', (address, name, flags) => {
  const route = routes.find((one) => one.path === address);
  expect(route?.title.en).toContain(name);
  expect(route?.title['zh-CN']).toBeTruthy();
  for (const [flag, value] of Object.entries(flags)) expect([flag, route?.flags[flag]]).toEqual([flag, value]);
});

it('has the brand in the titles of the articles', () => {
  const articles = routes.filter((route) => route.path.startsWith('/article/'));
  expect(articles).toHaveLength(4);
  for (const { title: texts } of articles) {
    expect(texts['zh-CN']).toContain('星点');
    expect(texts.en).toContain('Stardot');
  }
});

it('knows no flag but those of the specification', () => {
  const known = ['tabBar', 'topBar', 'placeholder', 'fixed', 'transparent', 'showTitle', 'search', 'back', 'keepAlive'];
  const flags = new Set(routes.flatMap((route) => Object.keys(route.flags ?? {})));
  expect([...flags].filter((flag) => ![...known, 'requiresLogin', 'layout', 'narrow'].includes(flag))).toEqual([]);
});

it('offers the three tabs in their order', () => {
  expect(entriesOf('tabBar').map((entry) => [entry.path, entry.label['zh-CN']])).toEqual([
    ['/home', '游戏'],
    ['/order', '我的订单'],
    ['/user', '个人中心'],
  ]);
});

it('offers the entries of the drawer in their order', () => {
  // "Contact support" between coupons and all games is the shell's own.
  expect(entriesOf('drawer').map((entry) => entry.path)).toEqual(['/home', '/user/coupon', '/goods', '/business']);
});
