/** The static shop behind a real nginx, with the project's own configuration. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promote, rollback } from '../operations';
import { openStore } from '../store/open-store';
import type { Store } from '../store/store';
import { publishSample } from '../testing/fixture';

const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', 'nginx'].find(
  (file) => spawnSync(file, ['-v']).status === 0,
);
const deploy = resolve(__dirname, '..', '..', '..', 'deploy', 'nginx');
jest.setTimeout(60_000);
const by = { by: 'ann' };
// CI installs nginx; a desk without it has nothing to test here.
const onlyWithNginx = nginx ? describe : describe.skip;

const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

onlyWithNginx('the shop as static files behind nginx', () => {
  let store: Store;
  let child: ChildProcess;
  let origin: string;
  let one: string;

  beforeAll(async () => {
    // nginx gives up root for its workers, and these must reach the files.
    const folder = await mkdtemp(join(tmpdir(), 'shop-nginx-'));
    const place = join(folder, 'store');
    store = openStore({ place });
    await publishSample(store, { name: 'shell' });
    await promote(store, { ...by, name: 'shell' });
    one = await publishSample(store, { text: 'one' });
    await promote(store, { ...by, name: 'catalog' });
    await mkdir(join(folder, 'logs'));
    const port = await freePort();
    const api = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const site = (await readFile(join(deploy, 'shop.conf'), 'utf8'))
      .replaceAll('/var/lib/shop/store', place)
      .replaceAll('/etc/nginx/shop-page-headers.conf', join(deploy, 'shop-page-headers.conf'))
      .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
      .replace(/^.*(listen \[::\]|ssl_certificate).*$/gm, '')
      .replace('server 127.0.0.1:8080;', `server 127.0.0.1:${api};`);
    await writeFile(
      join(folder, 'nginx.conf'),
      `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;\nworker_processes 1;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')}\n${site}\n}\n`,
    );
    child = spawn(nginx ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (let tries = 0; tries < 100; tries += 1) {
      if (
        await fetch(`${origin}/icon.svg`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error('nginx did not start');
  });
  afterAll(
    () =>
      new Promise<void>((done) => {
        child.once('exit', () => done());
        child.kill('SIGTERM');
      }),
  );

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

  it('answers an unknown address with the page and 404', async () => {
    const { status, body, headers } = await get('/no/such/page');
    expect([status, body.includes('id="release-map"'), headers.get('cache-control')]).toEqual([404, true, 'no-cache']);
  });

  it('serves files of releases for good, compressed ahead, and nothing else of the store', async () => {
    const file = await get(`/r/catalog/${one}/home.dd.js`, { 'accept-encoding': 'gzip' });
    expect(file.status).toBe(200);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(file.headers.get('content-encoding')).toBe('gzip');
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
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

  it('keeps the shop up while no API answers', async () => {
    expect((await get('/api/front/app/config')).status).toBe(502);
    expect((await get('/home')).status).toBe(200);
  });

  it('serves the service worker and its page, always the newest', async () => {
    const worker = await fetch(`${origin}/sw.js`);
    expect(worker.headers.get('content-type')).toContain('javascript');
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    const page = await fetch(`${origin}/offline.html`);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(await page.text()).toContain('content-security-policy');
  });
});
