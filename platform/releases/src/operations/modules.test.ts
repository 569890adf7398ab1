import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifestFaults } from '../manifest';
import { toPageMap, toPublicMap } from '../map';
import { openStore } from '../store/open-store';
import type { Store } from '../store/store';
import { manifestOf, publishSample } from '../testing/fixture';
import { modules } from './modules';
import { promote } from './promote';

const by = { by: 'ann' };
let place: string;
let store: Store;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'releases-modules-'));
  store = openStore({ place });
});
afterEach(() => rm(place, { recursive: true, force: true }));

it('lists what is live by its contract, and what is published only not at all', async () => {
  await publishSample(store, { name: 'shell' });
  await promote(store, { ...by, name: 'shell' });
  const version = await publishSample(store);
  await promote(store, { ...by, name: 'catalog' });
  await publishSample(store, { name: 'orders' });
  const { channel, modules: found } = await modules(store);
  expect(channel).toBe('production');
  expect(found.map(({ name }) => name)).toEqual(['catalog', 'shell']);
  const [catalog, shell] = found;
  const { remote, singletons } = (await store.readManifest('catalog', version)) ?? manifestOf();
  expect(catalog).toMatchObject({
    ...{ version, owner: null, packages: null },
    routes: remote?.routes.map(({ path }) => expect.objectContaining({ path })),
    needs: Object.entries(singletons.needs).map(([name, range]) => ({
      ...{ name, range },
      offered: shell?.offers.find((one) => one.name === name)?.version ?? null,
    })),
  });
  expect(catalog?.routes.length).toBeGreaterThan(0);
  expect(catalog?.needs.length).toBeGreaterThan(0);
  expect(catalog?.size.bytes).toBeGreaterThan(0);
  expect(catalog?.size.budget).toBeLessThan(shell?.size.budget ?? 0);
});

it('knows from what the builds use which pages link where, each once at both ends', async () => {
  const link = (remote?: string) => ({ query: [], remote });
  await publishSample(store, { name: 'shell' });
  await promote(store, { ...by, name: 'shell' });
  await publishSample(store, { uses: { links: { '/goods': link('catalog'), '/orders': link('orders') } } });
  await promote(store, { ...by, name: 'catalog' });
  await publishSample(store, { name: 'orders', uses: { links: { '/goods/:key': link('catalog') } } });
  await promote(store, { ...by, name: 'orders' });
  const { modules: found } = await modules(store);
  expect(found.map(({ name, linksTo, linkedFrom }) => ({ name, linksTo, linkedFrom }))).toEqual([
    {
      name: 'catalog',
      linksTo: [{ path: '/orders', module: 'orders' }],
      linkedFrom: [{ path: '/goods/:key', module: 'orders' }],
    },
    {
      name: 'orders',
      linksTo: [{ path: '/goods/:key', module: 'catalog' }],
      linkedFrom: [{ path: '/orders', module: 'catalog' }],
    },
    { name: 'shell', linksTo: null, linkedFrom: [] },
  ]);
});

it('names no module for a page that has none yet', async () => {
  await publishSample(store, { name: 'shell' });
  await promote(store, { ...by, name: 'shell' });
  await publishSample(store, { uses: { links: { '/gifts': { query: [], remote: 'gifts' } } } });
  await promote(store, { ...by, name: 'catalog' });
  const { modules: found } = await modules(store);
  expect(found[0]?.linksTo).toEqual([{ path: '/gifts', module: null }]);
});

it('knows the owner from the contract, which browsers are not told', async () => {
  const manifest = manifestOf({ name: 'catalog' });
  const owned = { ...manifest, remote: { ...manifest.remote, owner: '@site/catalog' } };
  expect(manifestFaults(owned)).toEqual([]);
  for (const owner of ['', 7, '<b>', 'x'.repeat(81)])
    expect(manifestFaults({ ...owned, remote: { ...owned.remote, owner } })).toEqual([
      expect.stringMatching(/^owner must name a team/),
    ]);
  await publishSample(store, { name: 'shell' });
  await promote(store, { ...by, name: 'shell' });
  await publishSample(store);
  await promote(store, { ...by, name: 'catalog' });
  const map = await store.readMap('production');
  for (const { extras } of map.microFrontends.catalog ?? [])
    Object.assign(extras.remote ?? {}, { owner: '@site/catalog' });
  for (const shown of [toPageMap(map), toPublicMap(map)]) expect(JSON.stringify(shown)).not.toContain('@site/catalog');
});
