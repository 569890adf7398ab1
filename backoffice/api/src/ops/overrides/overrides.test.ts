import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeSettings, openStore, promote, ReleaseKeys, type Store } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { backOfficeWithReleases } from '../release-plugins';

const by = { by: 'ann' };
const html = { accept: 'text/html' };
const breakGlass = 'a-token-for-tests';
const HOUR_MS = 3_600_000;
let place: string;
let store: Store;
let shop: FastifyInstance;
let keys: ReleaseKeys;
let clock: number;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'shop-overrides-'));
  store = openStore({ place });
  clock = Date.now();
  keys = new ReleaseKeys(store.blobs);
  for (const name of ['shell', 'catalog']) {
    await publishSample(store, { name });
    await promote(store, { ...by, name });
  }
  const now = () => clock;
  const { plugins } = backOfficeWithReleases({ store: openStore({ place }), opsToken: breakGlass, watchEvery: 0, now });
  shop = fastify();
  for (const plugin of plugins) await shop.register(plugin);
});
afterEach(async () => {
  await shop.close();
  await rm(place, { recursive: true, force: true });
});

const grants = {
  squad: { role: 'squad', remotes: ['catalog'], channels: ['production'] },
  'squad elsewhere': { role: 'squad', remotes: ['catalog'], channels: ['preview'] },
  viewer: { role: 'viewer', remotes: [], channels: [] },
} as const;
const keyOf = (kind: keyof typeof grants, lifetime = 24 * HOUR_MS) =>
  keys.make({ name: kind, by: 'ann', lifetime, ...grants[kind] });

const ownPage = { 'sec-fetch-site': 'same-origin' };
const send = (fields: Record<string, string>, headers: Record<string, string> = ownPage, remoteAddress?: string) =>
  shop.inject({
    method: 'POST',
    url: '/overrides',
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
const cookieOf = ({ headers }: Awaited<ReturnType<typeof send>>) =>
  ([] as string[]).concat(headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '');
const hasPanel = async (cookie: string) =>
  (await shop.inject({ url: '/home', headers: { ...html, cookie } })).body.includes('/overrides/panel.js');
const asked = async (cookie: string) =>
  (await shop.inject({ url: '/overrides/state', headers: { cookie } })).statusCode;

it('gives a squad that shows its key the panel for half a day, and holds no key in the browser', async () => {
  const { key, identity } = await keyOf('squad');
  const answer = await send({ key: ` ${key}` });
  expect(answer).toMatchObject({ statusCode: 303, headers: { location: '/#overrides', 'cache-control': 'no-store' } });
  expect(answer.headers['set-cookie']).toMatch(/^overrides=.*; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  const [cookie = ''] = cookieOf(answer);
  const payload = Buffer.from(cookie.split('=')[1]?.split('.')[0] ?? '', 'base64url').toString();
  expect(payload).toContain(identity.id);
  // The secret may have the character that is before it.
  expect(payload).not.toContain(key.split(`${identity.id}_`)[1]);
  expect([await hasPanel(cookie), await asked(cookie)]).toEqual([true, 200]);
  clock += 13 * HOUR_MS;
  expect([await hasPanel(cookie), await asked(cookie)]).toEqual([false, 404]);
});

it('ends with the key, with the switch of ops, and when somebody turns it off', async () => {
  const { key, identity } = await keyOf('squad');
  const [cookie = ''] = cookieOf(await send({ key }));
  const off = await send({ act: 'off' }, { ...ownPage, cookie });
  expect(off.headers).toMatchObject({
    location: '/?release=live',
    'set-cookie': expect.stringMatching(/^overrides=;.*Max-Age=0/),
  });
  await changeSettings(store, { ...by, overrides: 'off', why: 'a quiet week' });
  expect(await hasPanel(cookie)).toBe(false);
  expect((await shop.inject({ url: '/overrides', headers: html })).statusCode).toBe(404);
  expect((await send({ key })).statusCode).toBe(404);
  await changeSettings(store, { ...by, overrides: 'on', why: 'back' });
  expect(await hasPanel(cookie)).toBe(true);
  await keys.revoke(identity.id, 'ann');
  expect([await hasPanel(cookie), await asked(cookie)]).toEqual([false, 404]);
});

it.each(['squad elsewhere', 'viewer'] as const)('gives a %s key nothing', async (kind) => {
  const { key } = await keyOf(kind);
  const answer = await send({ key });
  expect([answer.statusCode, cookieOf(answer)]).toEqual([403, []]);
  expect(answer.body).toContain('role="alert"');
});

it('gives nobody the panel by a guess, an address, a changed cookie, or a form of another site', async () => {
  const { key } = await keyOf('squad');
  const [cookie = ''] = cookieOf(await send({ key }));
  const refused = [
    await send({ key: `${key.slice(0, -1)}x` }),
    await send({ key: '' }),
    await send({}),
    // Somebody else's good key, sent from elsewhere: the shopper would get a panel without having asked.
    await send({ key }, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
    await send({ key }, { 'sec-fetch-site': 'same-site' }),
    await send({ key }, { 'sec-fetch-site': 'none' }),
    await send({ key }, { origin: 'https://evil.example' }),
    await send({ key }, {}),
  ];
  for (const answer of refused) expect([answer.statusCode, cookieOf(answer)]).toEqual([403, []]);
  for (const address of [
    '/overrides?key=x&act=on',
    `/home?overrides=1`,
    '/home?release=catalog@9.9.9',
    '/overrides/',
  ]) {
    const answer = await shop.inject({ url: address, headers: html });
    expect(cookieOf(answer)).toEqual([]);
    expect(answer.body).not.toContain('/overrides/panel.js');
  }
  const [name = '', value = ''] = cookie.split('=');
  const [payload = '', mac = ''] = value.split('.');
  const longer = Buffer.from(payload, 'base64url')
    .toString()
    .replace(/"until":\d+/, '"until":9999999999999');
  const changed = [
    `${name}=${Buffer.from(longer).toString('base64url')}.${mac}`,
    `${name}=${payload}.`,
    `${name}=1`,
    // Signed by this server, for something else.
    cookie.replace('overrides=', 'ops-preview='),
  ];
  for (const one of changed) expect([await hasPanel(one), await asked(one)]).toEqual([false, 404]);
});

it('takes ten keys a minute from an address', async () => {
  for (let attempt = 0; attempt < 10; attempt += 1) await send({ key: 'a-guess' });
  const { key } = await keyOf('squad');
  expect((await send({ key })).statusCode).toBe(429);
});

it('takes no key that others can read on the way', async () => {
  const { key } = await keyOf('squad');
  const answer = await send({ key }, ownPage, '203.0.113.7');
  expect([answer.statusCode, cookieOf(answer)]).toEqual([403, []]);
});

it('gives whoever is signed in at /ops the panel for all releases once they ask, and ends with their session', async () => {
  const signIn = await shop.inject({
    method: 'POST',
    url: '/staff/api/session/token',
    headers: { 'x-staff': 'act' },
    payload: { token: breakGlass, name: 'Ann' },
  });
  const signedIn = cookieOf(signIn).join('; ');
  expect(await hasPanel(signedIn)).toBe(false);
  const page = await shop.inject({ url: '/overrides', headers: { ...html, cookie: `${signedIn}; language=en` } });
  expect(page.body).toContain('You are signed in as Ann');
  const [pass = ''] = cookieOf(await send({}, { ...ownPage, cookie: signedIn }));
  const state = (await shop.inject({ url: '/overrides/state', headers: { cookie: `${signedIn}; ${pass}` } })).json();
  expect(state.releases.map(({ published }: { published: unknown }) => published !== null)).toEqual([true, true]);
  // The pass alone says only that the panel was asked for.
  expect(await hasPanel(pass)).toBe(false);
});
