import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeSettings, freeze, openStore, promote, rollback, type Store } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { documentPlugin } from '../serving/document.plugin';
import type { OverrideRight } from './override-right';

const by = { by: 'ann' };
const html = { accept: 'text/html' };
const rights: Record<string, OverrideRight> = {
  'pass=catalog': { by: 'catalog CI (squad, key)', names: ['catalog'], panel: true },
  'pass=orders': { by: 'orders CI (squad, key)', names: ['orders'], panel: true },
  'pass=ops': { by: 'Ann (ops)', names: 'all', panel: false },
};
let place: string;
let store: Store;
let app: FastifyInstance;
let one: string;
let two: string;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'pages-overrides-'));
  store = openStore({ place });
  app = fastify();
  const overrideRight = async (cookies = '') => rights[cookies] ?? null;
  await app.register(documentPlugin({ store: openStore({ place }), overrideRight }));
  await publishSample(store, { name: 'shell' });
  await promote(store, { ...by, name: 'shell' });
  one = await publishSample(store, { text: 'one' });
  await promote(store, { ...by, name: 'catalog' });
  two = await publishSample(store, { text: 'two' });
});
afterEach(async () => {
  await app.close();
  await rm(place, { recursive: true, force: true });
});

const get = (url: string, cookie = '') => app.inject({ url, headers: { ...html, cookie } });
const script = '<script defer src="/overrides/panel.js"></script>';

it('puts the panel into the documents of who has the right, and leaves those of all others and the policy as they are', async () => {
  const guest = await get('/home');
  const own = await get('/home', 'pass=catalog');
  expect(own.body.replace(`${script}\n`, '')).toBe(guest.body);
  expect(own.body).toContain(script);
  expect(own.headers['content-security-policy']).toBe(guest.headers['content-security-policy']);
  expect(own.headers['cache-control']).toBe('no-store');
  // In either order: neither gets what was kept for the other.
  for (const cookie of ['', 'pass=guess', 'pass=ops']) expect((await get('/home', cookie)).body).toBe(guest.body);
});

it('gives script and state to nobody else', async () => {
  for (const url of ['/overrides/panel.js', '/overrides/state']) {
    for (const cookie of ['', 'pass=guess', 'pass=ops']) expect((await get(url, cookie)).statusCode).toBe(404);
    const own = await get(url, 'pass=catalog');
    expect(own).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
  }
});

it('lists what is live, and of the own releases what is published, with sizes', async () => {
  await freeze(store, { ...by, name: 'catalog', version: two, why: 'errors' });
  const state = (await get('/overrides/state', 'pass=catalog')).json();
  expect(state).toMatchObject({ channel: 'production', by: 'catalog CI (squad, key)' });
  const [catalog, shell] = state.releases;
  expect(catalog).toMatchObject({ name: 'catalog', live: { version: one, bytes: expect.any(Number) }, canary: null });
  expect(catalog.published).toEqual([
    expect.objectContaining({ version: two, refusal: 'frozen' }),
    expect.objectContaining({ version: one, refusal: null }),
  ]);
  expect(shell).toMatchObject({ name: 'shell', published: null });
});

it('is there for nobody once ops have switched it off', async () => {
  await changeSettings(store, { ...by, overrides: 'off', why: 'a quiet week' });
  await freeze(store, { ...by, name: 'catalog', version: two, why: 'errors' });
  const shows = async (cookie: string) =>
    (await get(`/home?release=catalog@${two}`, cookie)).body.includes(`/r/catalog/${two}/remoteEntry.js`);
  expect((await get('/home', 'pass=catalog')).body).not.toContain('/overrides/');
  expect((await get('/overrides/panel.js', 'pass=catalog')).statusCode).toBe(404);
  expect(await shows('pass=catalog')).toBe(false);
  expect(await shows('pass=ops')).toBe(true);
});

it.each([
  ['frozen', '已冻结', () => freeze(store, { ...by, name: 'catalog', version: two, why: 'errors' })],
  [
    'taken back',
    '已撤回',
    async () => {
      await promote(store, { ...by, name: 'catalog', version: two });
      await rollback(store, { ...by, name: 'catalog' });
    },
  ],
])('shows a release that is %s to its own squad and to ops, whoever sends the address', async (_, word, act) => {
  await act();
  const ask = async (cookie: string) => (await get(`/home?release=catalog@${two}`, cookie)).body;
  for (const cookie of ['pass=catalog', 'pass=ops'])
    expect(await ask(cookie)).toContain(`href="/r/catalog/${two}/remoteEntry.js"`);
  for (const cookie of ['', 'pass=guess', 'pass=orders']) {
    const page = await ask(cookie);
    expect(page).toContain(`href="/r/catalog/${one}/remoteEntry.js"`);
    expect(page).toContain(`<span>catalog@${two} ${word}`);
  }
});
