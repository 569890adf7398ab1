import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeze, openStore, promote, unfreeze } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import fastify from 'fastify';

const by = { by: 'ann' };
const html = { accept: 'text/html,application/xhtml+xml' };
let place: string;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'shop-page-'));
});
afterEach(() => rm(place, { recursive: true, force: true }));

it('a preview of a frozen release, or of one that its squad may not bring to this channel, needs a session of the back office; others get the live release and a notice', async () => {
  const store = openStore({ place });
  for (const name of ['shell', 'catalog']) {
    await publishSample(store, { name });
    await promote(store, { ...by, name });
  }
  const { plugins } = backOfficeWithReleases({
    store: openStore({ place }),
    opsToken: 'a-token-for-tests',
    watchEvery: 0,
  });
  const shop = fastify();
  for (const plugin of plugins) await shop.register(plugin);
  const two = await publishSample(store, { text: 'two' });
  const ask = async (cookie = '', release = `catalog@${two}`) => {
    const page = await shop.inject({ url: `/home?release=${release}`, headers: { ...html, cookie } });
    expect(page).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
    return page.body.includes(`href="/r/catalog/${two}/remoteEntry.js"`)
      ? 'preview'
      : /role="status"><span>([^<]*)/.exec(page.body)?.[1];
  };
  const login = (token: string) =>
    shop.inject({
      method: 'POST',
      url: '/staff/api/session/token',
      headers: { 'x-staff': 'act' },
      payload: { token, name: 'Ann' },
    });
  const signedIn = ([] as string[]).concat((await login('a-token-for-tests')).headers['set-cookie'] ?? []);
  const [session = '', pass = ''] = signedIn.map((cookie) => cookie.split(';')[0] ?? '');
  expect((await login('a-guess')).headers).not.toHaveProperty('set-cookie');
  expect(signedIn[1]).toMatch(/^ops-preview=.*; Path=\/; HttpOnly; SameSite=Strict/);

  expect(await ask()).toBe('preview');
  await freeze(store, { ...by, name: 'catalog', version: two, why: 'errors' });
  const notice = `catalog@${two} 已冻结，现显示线上版本 · is frozen, this is the live release`;
  expect(await ask()).toBe(notice);
  expect(await ask(pass)).toBe('preview');
  expect(await ask(pass.replace('=', '=9'))).toBe(notice);
  expect(await ask(session)).toBe(notice);
  // The pass is sent with every request of the shop, so it must not open the back office.
  const asSession = { cookie: pass.replace('ops-preview=', 'staff='), 'x-staff': 'act' };
  expect((await shop.inject({ url: '/staff/api/releases/state', headers: asSession })).statusCode).toBe(401);
  await unfreeze(store, { ...by, name: 'catalog', version: two });
  await freeze(store, { ...by, name: 'catalog', why: 'a quiet night' });
  expect(await ask()).toBe(notice);
  expect((await shop.inject({ url: '/home', headers: html })).body).not.toContain('role="status"');

  await unfreeze(store, { ...by, name: 'catalog' });
  const published = { name: 'catalog', version: two, at: new Date().toISOString(), by: 'catalog CI (squad, key)' };
  const publishFor = (...channels: string[]) => store.recordPublication({ ...published, channels });
  await publishFor('preview');
  expect(await ask()).toMatch(/^catalog@\S+ 不能在此预览，/);
  expect(await ask(pass)).toBe('preview');
  await publishFor('preview', 'production');
  expect(await ask()).toBe('preview');
  await shop.close();
});
