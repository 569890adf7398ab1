import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  checksOfMap,
  openStore,
  promote,
  promoteInMap,
  publish,
  type ReleaseManifest,
  type ReleaseMap,
  type Store,
} from '@platform/releases';
import { buildWorkspaces } from './build';
import { SHOP_SERVER } from './shop-store';

const folder = mkdtempSync(path.join(tmpdir(), 'fits-'));
let store: Store;
const manifests = new Map<string, ReleaseManifest>();
let map: ReleaseMap;

beforeAll(async () => {
  store = openStore({ place: folder });
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
  it('the built releases list the pages that they link to and the calls that they use', () => {
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

  it('the built releases fit each other and the current server', async () => {
    for (const manifest of manifests.values())
      expect(await checksOfMap(store, { before: map, next: map, manifest, server: SHOP_SERVER })).toEqual(
        ['contract', 'singletons', 'runtime', 'routes', 'links', 'calls'].map((check) =>
          expect.objectContaining({ check, outcome: 'passed' }),
        ),
      );
  });
});

it('the gate refuses a release that uses a call which the server does not have', async () => {
  const call = 'GET /api/front/goods/info';
  const server = { ...SHOP_SERVER, calls: SHOP_SERVER.calls.filter((known) => known !== call) };
  const manifest = of('catalog');
  expect(await checksOfMap(store, { before: map, next: map, manifest, server })).toContainEqual({
    check: 'calls',
    outcome: 'failed',
    detail: expect.stringContaining(`catalog@${manifest.version} uses ${call}`),
  });
});

it.each([
  ['catalog', '/goods/:id', 'orders'],
  ['catalog', '/search', 'shell'],
  ['orders', '/order', 'account'],
])('the gate refuses a release of %s without %s, to which %s links', async (name, gone, broken) => {
  const live = of(name);
  const remote = live.remote && { ...live.remote, routes: live.remote.routes.filter(({ path }) => path !== gone) };
  const manifest = { ...live, version: '9.9.9-deadbeef', remote };
  const next = promoteInMap(map, manifest, live, { by: 'ann' });
  const checks = await checksOfMap(store, { before: map, next, manifest, server: SHOP_SERVER });
  expect(checks).toContainEqual({
    check: 'links',
    outcome: 'failed',
    detail: expect.stringContaining(`${broken}@${of(broken).version} links to ${gone}, `),
  });
});
