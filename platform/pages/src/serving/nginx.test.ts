import { openStore, rollback, type Store } from '@platform/releases';
import { publishLive, scratch } from '@platform/releases/testing';
import fastify, { type FastifyInstance } from 'fastify';
import type { PageRendering } from '../rendering';
import { freePort, type Nginx, nginx, startNginx } from '../testing/nginx';
import { guestAnswers, SITE } from '../testing/site';
import { documentPlugin } from './document.plugin';

const by = { by: 'ann' };
// `npm test` has nginx; without it these tests are skipped.
const onlyWithNginx = nginx ? describe : describe.skip;
const PUBLIC = 'public, max-age=0, stale-if-error=86400, no-transform';

onlyWithNginx('the shop behind nginx', () => {
  let folder: string;
  let store: Store;
  let proxy: Nginx;
  let port: number;
  let server: FastifyInstance | undefined;
  let release: string;
  let visit = 0;

  beforeAll(async () => {
    folder = await scratch();
    store = openStore({ place: folder });
    const routes = [{ path: '/user', page: './user', module: '', title: '我的', flags: { requiresLogin: true } }];
    for (const sample of [{ name: 'shell' }, { name: 'account', routes }]) await publishLive(store, sample);
    release = await publishLive(store, { text: 'one' });
    port = await freePort();
    proxy = await startNginx({ program: nginx ?? '', place: folder, apiPort: port });
  });
  afterAll(() => proxy?.stop());
  beforeEach(startServer);
  afterEach(stopServer);

  async function startServer() {
    const page: PageRendering['page'] = async (_map, _visitor, { path, answers }) => ({
      html: `<p>${path} ${JSON.stringify(answers)}</p><i role="dialog"></i>`,
      queryState: '{}',
      wanted: [],
    });
    server = fastify();
    await server.register(
      documentPlugin({
        site: SITE,
        store: openStore({ place: folder }),
        rendering: { page } as PageRendering,
        guestIn: guestAnswers(() => 'guest'),
        userOf: async ({ headers }) => {
          const name = /session=(\w+)/.exec(headers.cookie ?? '')?.[1];
          if (!name) return 'guest';
          const ask = async () => ({ tag: '', envelope: () => name });
          return { session: name, mark: name, currency: 'CNY', ask };
        },
        onDocument: (_request, reply) => void reply.header('set-cookie', `visit_token=${++visit}`),
      }),
    );
    server.get('/api/ping', async () => 'pong');
    server.get('/broken', async (_request, reply) => reply.code(500).send('broken'));
    await server.listen({ port, host: '127.0.0.1' });
  }
  async function stopServer() {
    await server?.close();
    server = undefined;
  }
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(proxy.origin + path, { headers: { accept: 'text/html', ...headers } });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };

  it('nginx lets the server answer each document, so that a promote and a rollback are visible at once', async () => {
    const first = await get('/home');
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, PUBLIC]);
    expect(first.body).toContain(`/r/catalog/${release}/home.dd.js`);
    const two = await publishLive(store, { text: 'two' });
    expect((await get('/home')).body).toContain(`/r/catalog/${two}/home.dd.js`);
    await rollback(store, { ...by, name: 'catalog' });
    const last = await get('/home');
    expect(last.body).toContain(`/r/catalog/${release}/home.dd.js`);
    expect(last.headers.getSetCookie()).toEqual([`visit_token=${visit}`]);
    expect((await get('/home', { 'if-none-match': last.headers.get('etag') ?? '' })).status).toBe(304);
    expect((await get('/no/such/page')).status).toBe(404);
    expect((await get('/api/ping')).body).toBe('pong');
  });

  it('nginx sends the last document of an address, language and theme while no server responds, without the cookies of its visitor', async () => {
    const visits = [
      ['/home', ''],
      ['/home', 'language=en'],
      ['/home', 'theme=dark; language=en; visitor=12.5'],
      ['/goods/7?from=a', ''],
    ] as const;
    const before = await Promise.all(visits.map(([path, cookie]) => get(path, { cookie })));
    expect(new Set(before.map(({ body }) => body)).size).toBe(visits.length);
    await stopServer();
    for (const [index, [path, cookie]] of visits.entries()) {
      const { status, headers, body } = await get(path, { cookie: `${cookie}; other=${index}` });
      expect([status, body]).toEqual([200, before[index]?.body]);
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.get('content-security-policy')).toBe(before[index]?.headers.get('content-security-policy'));
    }
    await startServer();
    expect((await get('/home')).headers.getSetCookie()).toEqual([`visit_token=${visit}`]);
  });

  it('nginx sends no data of a signed-in user to others, and caches no page behind the guard and no preview', async () => {
    const preview = `/home?release=catalog@${release}`;
    for (const path of ['/goods/9', '/user', preview]) {
      const { headers, body } = await get(path, { cookie: 'session=ann' });
      expect([path, body.includes('"ann"')]).toEqual([path, true]);
      expect(headers.get('cache-control')).toContain('no-store');
    }
    expect((await get('/user')).headers.get('cache-control')).toBe('no-cache, no-transform');
    expect((await get('/goods/8')).headers.get('cache-control')).toBe(PUBLIC);
    await stopServer();
    for (const cookie of ['', 'session=ann', 'session=bob']) {
      for (const path of ['/goods/9', '/user', preview])
        expect([path, (await get(path, { cookie })).status]).toEqual([path, 503]);
      const { status, body } = await get('/goods/8', { cookie });
      expect([status, body.includes('"ann"')]).toEqual([200, false]);
    }
  });

  it('nginx says that the shop is unavailable when it has no document and the servers are down or fail', async () => {
    const maintenance = { status: 503, body: expect.stringContaining('The shop cannot be reached') };
    expect(await get('/broken')).toMatchObject(maintenance);
    await stopServer();
    const away = await get('/goods/1234');
    expect(away).toMatchObject(maintenance);
    expect(away.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(away.headers.get('retry-after')).toBe('10');
    expect((await get('/maintenance.html')).status).toBe(404);
    expect((await get('/api/ping')).status).toBe(502);
  });

  it('nginx serves files of releases as immutable and compressed, also while no server responds, and nothing else of the store', async () => {
    await stopServer();
    const file = await get(`/r/catalog/${release}/home.dd.js`, { 'accept-encoding': 'gzip' });
    expect(file.status).toBe(200);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable, no-transform');
    expect(file.headers.get('content-encoding')).toBe('gzip');
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const picture = await get(`/r/catalog/${release}/assets/cover.svg`);
    expect(picture.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    for (const path of [`/r/catalog/${release}/release.json`, `/r/catalog/${release}/home.dd.js.gz`, '/r/catalog/']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    for (const path of ['/maps/production.json', '/r/..%2fmaps/production.json'])
      expect([path, (await get(path)).status]).toEqual([path, 502]);
  });
});
