/** What is live fits: the releases of this repository pass, and a page or call that is gone is found with the release that uses it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  checkUses,
  openStore,
  promote,
  promoteInMap,
  publish,
  type ReleaseManifest,
  type ReleaseMap,
  type Store,
} from '@platform/releases';
import serverCalls from '@shop/server/calls.json';
import { buildWorkspaces } from './build';

const calls = Object.keys(serverCalls);
const folder = mkdtempSync(path.join(tmpdir(), 'fits-'));
let store: Store;
const manifests = new Map<string, ReleaseManifest>();
let map: ReleaseMap;

beforeAll(async () => {
  store = { ...openStore({ place: folder }), serverCalls: calls };
  for (const { name, version, directory } of await buildWorkspaces()) {
    await publish(store, { dist: directory, by: 'ann' });
    await promote(store, { name, version, by: 'ann' });
    manifests.set(name, (await store.readManifest(name, version)) as ReleaseManifest);
  }
  map = await store.readMap('production');
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const of = (name: string) => manifests.get(name) as ReleaseManifest;

describe('the releases of this repository', () => {
  it('say which pages they link to and which calls they use', () => {
    expect(of('catalog').uses?.links).toMatchObject({
      '/order/detail/:id': { remote: 'orders' },
      '/goods': { remote: 'catalog' },
    });
    expect(of('orders').uses?.calls).toContain('GET /api/front/order/info');
    expect(of('account').uses?.calls).toEqual(
      expect.arrayContaining(['GET /api/front/user/balanceLog', 'POST /api/front/recharge/create']),
    );
    expect(of('shell').uses?.calls).toContain('GET /api/front/user/info');
    for (const [name, { uses }] of manifests)
      expect([name, Object.keys(uses?.links ?? {}).length > 0]).toEqual([name, true]);
  });

  it('fit each other and the server of now', async () => {
    for (const manifest of manifests.values())
      expect(await checkUses(store, { before: map, next: map, manifest })).toEqual([
        expect.objectContaining({ check: 'links', outcome: 'passed' }),
        expect.objectContaining({ check: 'calls', outcome: 'passed' }),
      ]);
  });
});

/** By the remote that changes: its routes of then, and who is broken by that. */
type Routes = NonNullable<ReleaseManifest['remote']>['routes'];
const breaksOfPages: Array<
  [remote: string, what: string, change: (routes: Routes) => Routes, broken: string, path: string]
> = [
  ['catalog', 'a page that is gone', (all) => all.filter(({ path }) => path !== '/goods/:id'), 'orders', '/goods/:id'],
  ['catalog', 'a page that has moved', (all) => moved(all, '/search', '/find'), 'shell', '/search'],
  [
    'catalog',
    'a page that takes one parameter more',
    (all) => moved(all, '/goods/:id', '/goods/:id/:tab'),
    'account',
    '/goods/:id',
  ],
  ['catalog', 'the first page', (all) => moved(all, '/home', '/start'), 'content', '/home'],
  ['orders', 'a page of the tab bar', (all) => all.filter(({ path }) => path !== '/order'), 'account', '/order'],
  [
    'account',
    'a page that others lead to',
    (all) => moved(all, '/user/recharge', '/user/top-up'),
    'orders',
    '/user/recharge',
  ],
  [
    'content',
    'a page of one article',
    (all) => all.filter(({ path }) => !path.startsWith('/article/')),
    'shell',
    '/article/privacy',
  ],
];
const moved = (all: Routes, from: string, to: string) =>
  all.map((one) => (one.path === from ? { ...one, path: to } : one));

it('refuses a release that uses a call which the server does not have', async () => {
  const call = 'GET /api/front/goods/info';
  const serverCalls = calls.filter((one) => one !== call);
  const [, found] = await checkUses({ ...store, serverCalls }, { before: map, next: map, manifest: of('catalog') });
  expect(found).toMatchObject({ check: 'calls', outcome: 'failed' });
  expect(found?.detail).toContain(`catalog@${of('catalog').version} uses ${call}`);
});

it.each(breaksOfPages)('finds what a new release of %s breaks: %s', async (name, _what, change, broken, path) => {
  const live = of(name);
  const version = '9.9.9-deadbeef';
  const remote = live.remote && { ...live.remote, routes: change(live.remote.routes) };
  const manifest = { ...live, version, remote };
  const next = promoteInMap(map, manifest, live, { by: 'ann' });
  const [found] = await checkUses(store, { before: map, next, manifest });
  expect(found).toMatchObject({ check: 'links', outcome: 'failed' });
  expect(found?.detail).toContain(`${broken}@${of(broken).version} links to ${path}, `);
});
