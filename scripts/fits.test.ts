import {
  checksOfMap,
  openStore,
  promote,
  publish,
  type ReleaseManifest,
  type ReleaseMap,
  type Store,
} from '@platform/releases';
import { scratch } from '@platform/releases/testing';
import { buildWorkspaces } from './build';
import { SHOP_SERVER } from './shop-store';

let store: Store;
const manifests = new Map<string, ReleaseManifest>();
let map: ReleaseMap;

beforeAll(async () => {
  store = openStore({ place: await scratch() });
  for (const { name, version, directory } of await buildWorkspaces()) {
    await publish(store, { dist: directory, by: 'ann' });
    await promote(store, { name, version, by: 'ann' });
    manifests.set(name, (await store.readManifest(name, version)) as ReleaseManifest);
  }
  map = await store.readMap();
}, 900_000);

const of = (name: string) => manifests.get(name) as ReleaseManifest;

it('the built releases list the pages that they link to and the calls that they use', () => {
  const links = { '/order/detail/:id': { remote: 'orders' }, '/goods': { remote: 'catalog' } };
  expect(of('catalog').uses?.links).toMatchObject(links);
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
