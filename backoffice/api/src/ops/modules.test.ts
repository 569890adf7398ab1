import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, promote, ReleaseKeys } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { type Database, openEmbedded } from '@shop/server/platform/db/database';
import { Console, config, personOf, type ReleaseServers, releaseServers } from '../testing/back-office';

const by = { by: 'ann' };
const DAY_MS = 86_400_000;
let place: string;
let servers: ReleaseServers;
let db: Database;
let keys: ReleaseKeys;

beforeAll(async () => {
  db = await openEmbedded({ template: process.env.SHOP_TEST_TEMPLATE });
});
afterAll(() => db.close());
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'shop-modules-'));
  const store = openStore({ place });
  keys = new ReleaseKeys(store.blobs);
  for (const name of ['shell', 'catalog']) {
    await publishSample(store, { name });
    await promote(store, { ...by, name });
  }
  servers = await releaseServers({ store: openStore({ place }) }, { db, config });
});
afterEach(async () => {
  await servers.close();
  await rm(place, { recursive: true, force: true });
});

it('tells a squad what is live and who it is, and who may release only ops', async () => {
  const squad = { role: 'squad', remotes: ['catalog'], channels: ['production'] } as const;
  const { key, identity } = await keys.make({ name: 'catalog CI', by: 'ann', lifetime: DAY_MS, ...squad });
  const old = await keys.make({ name: 'old CI', by: 'ann', lifetime: DAY_MS, ...squad });
  await keys.revoke(old.identity.id, 'ann');

  const headers = { authorization: `Bearer ${key}` };
  const { result: toSquad } = (await servers.shop.inject({ url: '/ops/api/modules', headers })).json();
  expect(toSquad).toMatchObject({ channel: 'production', you: 'catalog CI (squad, key)', access: null });
  expect(toSquad.modules.map(({ name }: { name: string }) => name)).toEqual(['catalog', 'shell']);

  const ann = await personOf(servers, 'Ann');
  const { result: toOps } = (await ann.ask('GET', '/staff/api/releases/modules')).json();
  expect(toOps.modules).toEqual(toSquad.modules);
  expect(toOps).toMatchObject({ you: 'Ann (ops)', role: 'ops' });
  expect(toOps.access).toEqual([{ name: 'catalog CI', ...squad, expiresAt: identity.expiresAt }]);
});

it('tells nobody else anything', async () => {
  expect((await servers.shop.inject({ url: '/ops/api/modules' })).statusCode).toBe(401);
  expect((await new Console(servers.console).ask('GET', '/staff/api/releases/modules')).statusCode).toBe(401);
});
