import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, promote, ReleaseKeys } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { backOfficeWithReleases } from './release-plugins';

const by = { by: 'ann' };
const breakGlass = 'a-token-for-tests';
const DAY_MS = 86_400_000;
let place: string;
let shop: FastifyInstance;
let keys: ReleaseKeys;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'shop-modules-'));
  const store = openStore({ place });
  keys = new ReleaseKeys(store.blobs);
  for (const name of ['shell', 'catalog']) {
    await publishSample(store, { name });
    await promote(store, { ...by, name });
  }
  // Without a database.
  const { plugins } = backOfficeWithReleases({ store: openStore({ place }), opsToken: breakGlass, watchEvery: 0 });
  shop = fastify();
  for (const plugin of plugins) await shop.register(plugin);
});
afterEach(async () => {
  await shop.close();
  await rm(place, { recursive: true, force: true });
});

it('tells a squad what is live and who it is, and who may release only ops', async () => {
  const squad = { role: 'squad', remotes: ['catalog'], channels: ['production'] } as const;
  const { key, identity } = await keys.make({ name: 'catalog CI', by: 'ann', lifetime: DAY_MS, ...squad });
  const old = await keys.make({ name: 'old CI', by: 'ann', lifetime: DAY_MS, ...squad });
  await keys.revoke(old.identity.id, 'ann');

  const headers = { authorization: `Bearer ${key}` };
  const { result: toSquad } = (await shop.inject({ url: '/ops/api/modules', headers })).json();
  expect(toSquad).toMatchObject({ channel: 'production', you: 'catalog CI (squad, key)', access: null });
  expect(toSquad.modules.map(({ name }: { name: string }) => name)).toEqual(['catalog', 'shell']);

  const signIn = await shop.inject({
    method: 'POST',
    url: '/staff/api/session/token',
    headers: { 'x-staff': 'act' },
    payload: { token: breakGlass, name: 'Ann' },
  });
  const cookie = ([] as string[]).concat(signIn.headers['set-cookie'] ?? []).map((set) => set.split(';')[0]);
  const ask = { url: '/staff/api/releases/modules', headers: { cookie: cookie.join('; '), 'x-staff': 'watch' } };
  const { result: toOps } = (await shop.inject(ask)).json();
  expect(toOps.modules).toEqual(toSquad.modules);
  expect(toOps).toMatchObject({ you: 'Ann (ops, break-glass)', role: 'ops' });
  expect(toOps.access).toEqual([{ name: 'catalog CI', ...squad, expiresAt: identity.expiresAt }]);
});

it('tells nobody else anything', async () => {
  expect((await shop.inject({ url: '/ops/api/modules' })).statusCode).toBe(401);
  expect((await shop.inject({ url: '/staff/api/releases/modules', headers: { 'x-staff': 'watch' } })).statusCode).toBe(
    401,
  );
});
