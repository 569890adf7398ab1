import { rename, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openStore, promote, rollback, runAction, type Store } from '@platform/releases';
import { publishLive, publishSample, scratch } from '@platform/releases/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { SITE } from '../testing/site';
import { documentPlugin } from './document.plugin';

const by = { by: 'ann' };
const html = { accept: 'text/html,application/xhtml+xml' };
let place: string;
let store: Store;
let app: FastifyInstance;
let version: string;

beforeEach(async () => {
  place = await scratch();
  store = openStore({ place });
  app = fastify();
  await app.register(documentPlugin({ site: SITE, store: openStore({ place }) }));
  await publishLive(store, { name: 'shell' });
  version = await publishLive(store, { text: 'one' });
});
afterEach(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

const PUBLIC = 'public, max-age=0, stale-if-error=86400, no-transform';
const IMMUTABLE = 'public, max-age=31536000, immutable, no-transform';
const DOCUMENT = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

it.each<[url: string, status: number, type: string, cache: string, others?: Record<string, unknown>]>([
  ['/home', 200, DOCUMENT, PUBLIC, { 'x-content-type-options': 'nosniff', vary: 'accept-encoding, cookie' }],
  ['/goods/7?x=1', 200, DOCUMENT, PUBLIC, { 'content-security-policy': expect.stringContaining("'self' 'sha256-") }],
  ['/home?lang=en', 200, DOCUMENT, PUBLIC],
  ['/user', 200, DOCUMENT, 'no-cache, no-transform'],
  ['/nowhere', 404, DOCUMENT, 'no-cache, no-transform'],
  ['/403', 200, DOCUMENT, PUBLIC],
  ['/home?release=catalog@<two>', 200, DOCUMENT, 'no-store, no-transform'],
  ['/sw.js', 200, SCRIPT, 'no-cache, no-transform'],
  ['/offline.html', 200, DOCUMENT, 'no-cache, no-transform', { 'content-security-policy': expect.any(String) }],
  ['/r/catalog/<one>/home.dd.js', 200, SCRIPT, IMMUTABLE, { 'cross-origin-resource-policy': 'cross-origin' }],
  ['/r/catalog/<one>/assets/cover.svg', 200, 'image/svg+xml', IMMUTABLE],
  ['/releases/production.json', 200, 'application/json; charset=utf-8', 'no-cache'],
])('%s is sent with status %d as %s, cached as %s', async (url, status, type, cache, others = {}) => {
  const two = await publishSample(store, { text: 'two' });
  const user = { path: '/user', page: './user', module: '', title: '我的', flags: { requiresLogin: true } };
  await publishLive(store, { name: 'account', routes: [user] });
  const { statusCode, headers } = await get(url.replace('<one>', version).replace('<two>', two), html);
  expect(statusCode).toBe(status);
  expect(headers).toMatchObject({ 'content-type': type, 'cache-control': cache, ...others });
});

it.each(['/home', '/releases/production.json', '/r/catalog/<one>/home.dd.js'])(
  '%s is compressed as the browser accepts, and sent as 304 to one that has it',
  async (path) => {
    const url = path.replace('<one>', version);
    const plain = await get(url, html);
    const br = await get(url, { ...html, 'accept-encoding': 'gzip, deflate, br' });
    const gz = await get(url, { ...html, 'accept-encoding': 'gzip, br;q=0' });
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: expect.stringContaining('accept-encoding') });
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gz.rawPayload).toString()).toBe(plain.body);
    const again = await get(url, { ...html, 'if-none-match': String(plain.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  },
);

it('the document has another ETag under another policy, which a browser would not take from a 304', async () => {
  const page = await get('/home', html);
  const otherApp = fastify();
  await otherApp.register(documentPlugin({ site: SITE, store, pictureOrigins: ['https://pictures.example'] }));
  const headers = { ...html, 'if-none-match': String(page.headers.etag) };
  const again = await otherApp.inject({ url: '/home', headers });
  await otherApp.close();
  expect(again.statusCode).toBe(200);
  expect(again.headers['content-security-policy']).toMatch(/img-src 'self' data: blob: https:\/\/pictures\.example;/);
  expect(page.headers['content-security-policy']).toMatch(/img-src 'self' data: blob:;/);
});

it('the document is served from memory while the store is unavailable', async () => {
  await get('/home', html);
  await rename(join(place, 'maps'), join(place, 'gone'));
  expect((await get('/home', html)).statusCode).toBe(200);
});

it('the document has the language and theme of its address, and stores them in cookies', async () => {
  const english = await get('/home?lang=en&theme=dark', html);
  expect(english.body).toMatch(/<html lang="en"[^>]* data-theme="dark"/);
  const attributes = 'Max-Age=31536000; Path=/; SameSite=Lax';
  expect(english.headers['set-cookie']).toEqual([`language=en; ${attributes}`, `theme=dark; ${attributes}`]);
  const cookie = 'a=b; language=en; theme=dark';
  expect((await get('/home', { ...html, cookie })).body).toBe(english.body);
  for (const [url, cookies] of [
    ['/home?lang=en&theme=dark', cookie],
    ['/home?lang=fr&theme=pink', ''],
  ] as const)
    expect((await get(url, { ...html, cookie: cookies })).headers).not.toHaveProperty('set-cookie');
});

it('HEAD has no body', async () => {
  const head = await app.inject({ method: 'HEAD', url: '/home', headers: html });
  expect(head).toMatchObject({ statusCode: 200, body: '' });
});

it('calls, files and other kinds of requests get no document', async () => {
  for (const [url, headers] of [
    ['/api/front/x', html],
    ['/missing.png', { accept: 'image/*,*/*' }],
    ['/home', { accept: 'application/json' }],
  ] as Array<[string, Record<string, string>]>) {
    const answer = await get(url, headers);
    expect([answer.statusCode, answer.body.includes('<html')]).toEqual([404, false]);
  }
  expect((await app.inject({ method: 'POST', url: '/home', headers: html })).statusCode).toBe(404);
});

it('the response says what to do when no shell is live', async () => {
  const empty = fastify();
  await empty.register(documentPlugin({ site: SITE, store: openStore({ place: join(place, 'empty') }) }));
  const { statusCode, body } = await empty.inject({ url: '/', headers: html });
  expect([statusCode, body]).toEqual([503, expect.stringContaining('promote shell')]);
  await empty.close();
});

it('the pages of a new remote are unknown outside its canary', async () => {
  const version = await publishLive(store, { name: 'gifts' }, 10);
  const inside = await get('/gifts', { ...html, cookie: 'visitor=9.5' });
  expect([inside.statusCode, inside.body]).toEqual([200, expect.stringContaining(`"/r/gifts/${version}/main.dd.js"`)]);
  for (const cookie of ['visitor=10', '']) {
    const outside = await get('/gifts', { ...html, cookie });
    expect(outside).toMatchObject({ statusCode: 404, body: expect.not.stringContaining('main.dd.js') });
  }
  const home = async (visitor: number) => (await get('/home', { ...html, cookie: `visitor=${visitor}` })).headers;
  expect((await home(70))['cache-control']).toBe(PUBLIC);
  // A cache that sends a document without revalidation cannot know the visitor.
  expect((await home(9.5))['cache-control']).toBe('no-cache, no-transform');
});

describe('a preview', () => {
  let two: string;

  it('a preview shows a published release that is not live, to that request only', async () => {
    two = await publishSample(store, { text: 'two' });
    const page = await get(`/home?release=catalog@${two}`, html);
    expect(page.body).toContain(`href="/r/catalog/${two}/remoteEntry.js"`);
    expect(page.body).toContain('preview-badge" role="status"');
    expect((await get('/home', html)).body).toContain(`href="/r/catalog/${version}/remoteEntry.js"`);
  });

  it.each([
    [
      'frozen',
      '已冻结',
      () => {
        const request = { action: 'freeze', name: 'catalog', version: two } as const;
        return runAction(store, request, { ...by, why: 'errors', server: { routes: [], calls: [] } });
      },
    ],
    [
      'rolled back',
      '已撤回',
      async () => {
        await promote(store, { ...by, name: 'catalog', version: two });
        await rollback(store, { ...by, name: 'catalog' });
      },
    ],
  ])(
    'a preview of a release that is %s is refused: the document shows the live release and a notice',
    async (_, word, change) => {
      two = await publishSample(store, { text: 'two' });
      await change();
      const { body } = await get(`/home?release=catalog@${two}`, { ...html, cookie: 'staff=anything' });
      expect(body).toContain(`href="/r/catalog/${version}/remoteEntry.js"`);
      expect(body).toContain(`<span>catalog&#64;${two} ${word}`);
    },
  );

  it.each([
    ['without a record of its publication', () => rm(join(place, 'published/catalog', `${two}.json`))],
    [
      'of another channel, which an earlier version has stored',
      () => store.recordPublication({ ...by, name: 'catalog', version: two, at: '2026-11-29', channels: ['preview'] }),
    ],
  ])('a release %s has no preview', async (_, change) => {
    two = await publishSample(store, { text: 'two' });
    await change();
    const page = await get(`/home?release=catalog@${two}`, html);
    expect(page.body).toContain(`href="/r/catalog/${version}/remoteEntry.js"`);
  });

  it.each(['catalog@9.9.9', 'catalog@../../x', 'https://evil.example/x', 'live'])(
    'a preview cannot name %s',
    async (release) => {
      const page = await get(`/home?release=${encodeURIComponent(release)}`, html);
      expect(page.body).toContain(`href="/r/catalog/${version}/remoteEntry.js"`);
      expect(page.body).not.toContain('role="status"');
    },
  );
});

it('no other file or map of the store or the machine is served', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const raw = (path: string) =>
    new Promise<number>((resolve, reject) => {
      httpRequest({ port, host: '127.0.0.1', path }, (answer) => resolve(answer.resume().statusCode ?? 0))
        .on('error', reject)
        .end();
    });
  for (const path of [
    ...['release.json', 'missing.js', 'home.dd.js.br', '.env'].map((file) => `/r/catalog/${version}/${file}`),
    `/r/catalog/${version}/..%2f..%2f..%2fmaps%2fproduction.json`,
    '/r/catalog/..%2f..%2fmaps/production.json',
    `/r/catalog/${version}/../../../maps/production.json`,
    `/r/catalog/${version}/%2e%2e/%2e%2e/x.js`,
    `/r/catalog/${version}/..\\x.js`,
    `/r/catalog/${version}/x%00.js`,
    ...['preview.json', 'production', '..%2fx.json'].map((file) => `/releases/${file}`),
  ]) {
    expect([path, await raw(path)]).toEqual([path, 404]);
  }
});

it('the map is served without names or reasons, and again after a change', async () => {
  const map = await get('/releases/production.json');
  expect(map.json()).toMatchObject({ rev: 2, microFrontends: { catalog: [{ metadata: { version } }] } });
  expect(map.json()).not.toHaveProperty('changed');
  await promote(store, { ...by, name: 'catalog', version: await publishSample(store, { text: 'two' }) });
  expect((await get('/releases/production.json', { 'if-none-match': String(map.headers.etag) })).statusCode).toBe(200);
});
