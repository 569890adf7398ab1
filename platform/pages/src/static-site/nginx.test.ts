/** The static shop behind a real nginx, with the project's own configuration. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, promote, rollback, type Store } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { freePort, type Nginx, nginx, startNginx } from '../testing/nginx';
import { withStaticSite } from './export-site';

const by = { by: 'ann' };
// `npm test` has nginx; without it these tests are skipped.
const onlyWithNginx = nginx ? describe : describe.skip;

onlyWithNginx('the shop as static files behind nginx', () => {
  let store: Store;
  let server: Nginx;
  let origin: string;
  let one: string;
  let apiPort: number;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shop-nginx-'));
    const place = join(folder, 'store');
    store = withStaticSite(openStore({ place }));
    await publishSample(store, { name: 'shell' });
    await promote(store, { ...by, name: 'shell' });
    one = await publishSample(store, { text: 'one' });
    await promote(store, { ...by, name: 'catalog' });
    apiPort = await freePort();
    server = await startNginx({ program: nginx ?? '', place, apiPort });
    ({ origin } = server);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(origin + path, { headers });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };

  it.each([
    ['/', 'home'],
    ['/home', 'home'],
    ['/goods/', 'goods'],
    ['/goods/new', 'goods'],
    ['/goods/42', 'product'],
  ])('%s is a page that preloads %s', async (path, page) => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(200);
    expect(body).toContain(`/r/catalog/${one}/${page}.dd.js`);
    expect(body).toContain('http-equiv="content-security-policy"');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
  });

  it('answers an unknown address with the document and 404', async () => {
    const { status, body, headers } = await get('/no/such/page');
    expect([status, body.includes('id="release-map"'), headers.get('cache-control')]).toEqual([404, true, 'no-cache']);
  });

  it('serves files of releases as immutable and compressed, and nothing else of the store', async () => {
    const file = await get(`/r/catalog/${one}/home.dd.js`, { 'accept-encoding': 'gzip' });
    expect(file.status).toBe(200);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(file.headers.get('content-encoding')).toBe('gzip');
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const picture = await get(`/r/catalog/${one}/assets/cover.svg`);
    expect(picture.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    for (const path of [
      `/r/catalog/${one}/release.json`,
      `/r/catalog/${one}/home.dd.js.gz`,
      '/r/catalog/',
      '/maps/production.json',
      '/r/..%2fmaps/production.json',
      '/pages/index.html',
      '/map.json',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });

  it('follows a promote and a rollback at once, without a reload', async () => {
    const before = await get('/releases/production.json');
    const two = await publishSample(store, { text: 'two' });
    await promote(store, { ...by, name: 'catalog' });
    expect((await get('/home')).body).toContain(`/r/catalog/${two}/home.dd.js`);
    const after = await get('/releases/production.json', { 'if-none-match': before.headers.get('etag') ?? '' });
    expect([after.status, JSON.parse(after.body).rev]).toEqual([200, 3]);
    await rollback(store, { ...by, name: 'catalog' });
    expect((await get('/home')).body).toContain(`/r/catalog/${one}/home.dd.js`);
  });

  it('serves documents and robots.txt while the API is down', async () => {
    expect((await get('/api/front/app/config')).status).toBe(502);
    expect((await get('/home')).status).toBe(200);
    const robots = await get('/robots.txt');
    expect([robots.status, robots.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(robots.body).toContain('Disallow: /api/');
    expect(robots.body).not.toContain('Sitemap');
    expect((await get('/sitemap.xml')).status).toBe(502);
  });

  it('has documents, robots.txt and the sitemap answered by the shop servers while they are there, and the static ones after that', async () => {
    const asked: string[] = [];
    const api = createServer((request, response) => {
      asked.push(`${request.url} for ${request.headers.host}`);
      response.writeHead(request.url?.startsWith('/goods/') ? 404 : 200, { 'x-from': 'api' }).end('from the API');
    });
    await new Promise<void>((done) => api.listen(apiPort, '127.0.0.1', done));
    const paths = [
      '/goods/42?lang=en',
      '/home',
      '/',
      '/user',
      '/robots.txt',
      '/sitemap.xml',
      '/sitemap-1.xml',
      '/?lang=en',
    ];
    const answers = await Promise.all(paths.map((path) => get(path)));
    await new Promise((done) => {
      api.close(done);
      api.closeAllConnections();
    });
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [404, 'from the API'],
      ...Array(paths.length - 1).fill([200, 'from the API']),
    ]);
    expect(asked).toContain('/goods/42?lang=en for 127.0.0.1');
    expect((await get('/goods/42')).body).toContain(`/r/catalog/${one}/product.dd.js`);
    for (const [path, page, status] of [
      ['/home', 'home', 200],
      ['/home?lang=en', 'home', 200],
      ['/?lang=en', 'home', 200],
      ['/goods/new?sort=price', 'goods', 200],
      ['/no/such/page?lang=en', 'release-map', 404],
    ] as const) {
      const { status: answered, body, headers } = await get(path);
      expect([path, answered, headers.get('cache-control')]).toEqual([path, status, 'no-cache']);
      expect(body).toContain(page === 'release-map' ? page : `/r/catalog/${one}/${page}.dd.js`);
    }
  });

  it('has the service worker and offline page revalidated', async () => {
    const worker = await fetch(`${origin}/sw.js`);
    expect(worker.headers.get('content-type')).toContain('javascript');
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    const page = await fetch(`${origin}/offline.html`);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(await page.text()).toContain('content-security-policy');
  });
});
