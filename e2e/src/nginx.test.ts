/** The shop as static files: Debian's nginx with the project's configuration, TLS and HTTP/2, and no Node for any page. */
import { spawnSync } from 'node:child_process';
import http2 from 'node:http2';
import path from 'node:path';
import { withStaticSite } from '@shop/document';
import { freePort, type Nginx, startNginx } from '@shop/document/testing/nginx';
import { liveVersion, openStore, promote, type ReleaseManifest, rollback, type Store } from '@shop/release';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openTab } from './browser';
import { type Shop, startShop } from './shop';
import { openStage, type Stage } from './stage';
import { words } from './steps';
import { publishVariant } from './variant';

const program = [process.env.NGINX_PATH ?? '', '/usr/sbin/nginx', '/usr/local/sbin/nginx', 'nginx'].find(
  (file) => file && spawnSync(file, ['-v']).status === 0,
);
// npm test installs nginx where it can; a desk without it leaves this out, and the last line counts it.
const onlyWithNginx = program ? describe : describe.skip;
const text = words['zh-CN'];
const by = { by: 'a test' };

onlyWithNginx('the shop behind nginx', () => {
  let shop: Shop;
  let store: Store;
  let nginx: Nginx;
  let browser: Browser;
  /** Stands between nginx and the shop's server, and so knows what Node was asked for. */
  let api: Stage;
  let apiPort: number;
  let catalog: ReleaseManifest;

  beforeAll(async () => {
    shop = await startShop();
    store = withStaticSite(openStore({ dataDir: shop.dataDir }));
    apiPort = await freePort();
    api = await openStage(shop.url, [], apiPort);
    nginx = await startNginx({ program: program ?? '', place: path.join(shop.dataDir, 'store'), apiPort, tls: true });
    // With the certificate taken for good, caches and policy work as they do for a real one.
    browser = await launchBrowser({ more: [`--ignore-certificate-errors-spki-list=${nginx.publicKeyHash}`] });
    const map = await store.readMap('production');
    const manifest = await store.readManifest('catalog', liveVersion(map, 'catalog') ?? '');
    if (!manifest) throw new Error('the catalogue is not live');
    catalog = manifest;
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await nginx?.stop();
    await api?.close();
    await shop?.stop();
  });

  const searchField = (page: Page) => page.getByText('搜游戏、点卡、拼音首字母');

  it('opens from files over HTTP/2; of Node it asks for calls and pictures alone', async () => {
    const { page, context, faults } = await openTab(browser, nginx.origin);
    await page.goto('/home');
    await searchField(page).waitFor();
    await page.getByText('原神').first().waitFor();
    const protocols = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ name }) => name.startsWith(location.origin))
        .map((entry) => (entry as PerformanceResourceTiming).nextHopProtocol),
    );
    expect(protocols.length).toBeGreaterThan(8);
    expect([...new Set(protocols)]).toEqual(['h2']);
    await page.getByRole('link', { name: text.searchLink }).first().click();
    await page.waitForURL('**/search');
    // An address of a page with a parameter, opened directly.
    await page.goto('/goods/1');
    await page.getByRole('button', { name: text.buy }).waitFor();
    expect(api.requests.length).toBeGreaterThan(0);
    expect(api.requests.filter((url) => !/^\/(api|media|uploads)\//.test(url))).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('sends what was compressed at publish, cached for good; pages and the map are asked for again', async () => {
    const map = await store.readMap('production');
    const shell = await store.readManifest('shell', liveVersion(map, 'shell') ?? '');
    const [script = '', style = ''] = [shell?.initial.js[0], shell?.initial.css[0]];
    const base = `/r/shell/${shell?.version}/`;
    for (const file of [script, style]) {
      const { headers, size } = await get(base + file);
      expect([file, headers['content-encoding'], headers['cache-control']]).toEqual([
        file,
        'gzip',
        'public, max-age=31536000, immutable',
      ]);
      expect(size).toBe((await store.readFile('shell', shell?.version ?? '', `${file}.gz`))?.length);
    }
    for (const address of ['/home', '/goods/1', '/releases/production.json']) {
      const { headers } = await get(address);
      expect([address, headers[':status'], headers['cache-control'], headers['content-encoding']]).toEqual([
        address,
        200,
        'no-cache',
        'gzip',
      ]);
      expect((await get(address, { 'if-none-match': String(headers.etag) })).headers[':status']).toBe(304);
    }
    expect((await get('/home')).headers).toMatchObject({
      'content-security-policy': "frame-ancestors 'none'",
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  it('holds the page to the policy that stands in the document', async () => {
    const { page, context } = await openTab(browser, nginx.origin);
    await page.goto('/home');
    await searchField(page).waitFor();
    const seen = await page.evaluate(async () => {
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
      const script = document.createElement('script');
      try {
        script.textContent = 'window.ran = true';
      } catch {
        // Refused by Trusted Types before it is a script.
      }
      document.head.append(script);
      const holder = document.createElement('div');
      try {
        holder.innerHTML = '<img src="x" onerror="window.ran = true">';
      } catch {
        // The same.
      }
      document.body.append(holder);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { ran: 'ran' in window, violations: violations.length };
    });
    expect(seen.ran).toBe(false);
    expect(seen.violations).toBeGreaterThan(0);
    await context.close();
  });

  it('follows a promote and a rollback in an open tab, with nginx left alone', async () => {
    const [one, two] = [
      await publishVariant(store, catalog, 'sound', 'behind nginx, one'),
      await publishVariant(store, catalog, 'sound', 'behind nginx, two'),
    ];
    const goLive = ({ version }: ReleaseManifest) =>
      promote(store, { ...by, name: 'catalog', version, skip: ['browser'], why: 'journey' });
    await goLive(one);
    const { page, context, faults } = await openTab(browser, nginx.origin);
    await page.goto('/home');
    const servedBy = ({ version }: ReleaseManifest) =>
      page.waitForFunction((expected) => document.documentElement.dataset.catalog === expected, version);
    await servedBy(one);
    await page.evaluate(() => Object.assign(window, { stillTheSameDocument: true }));
    await goLive(two);
    await page.getByRole('link', { name: text.searchLink }).first().click();
    await page.waitForURL('**/search');
    await servedBy(two);
    await rollback(store, { ...by, name: 'catalog' });
    await page.goBack();
    await page.waitForURL('**/home');
    await servedBy(one);
    expect(await page.evaluate(() => 'stillTheSameDocument' in window)).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('opens while no Node answers, says what is wrong, and heals without a reload', async () => {
    await api.close();
    const { page, context } = await openTab(browser, nginx.origin);
    await page.goto('/goods/1');
    await page.evaluate(() => Object.assign(window, { stillTheSameDocument: true }));
    const alert = page.getByRole('main').getByRole('alert').first();
    await alert.waitFor();
    // Areas that need no call open as ever; this one is drawn by another remote.
    await page.goto('/business');
    await page.getByRole('textbox').first().waitFor();
    await page.goto('/goods/1');
    await alert.waitFor();
    await page.evaluate(() => Object.assign(window, { stillTheSameDocument: true }));
    api = await openStage(shop.url, [], apiPort);
    await alert.getByRole('button', { name: text.tryAgain }).click();
    await page.getByRole('button', { name: text.buy }).waitFor();
    expect(await page.evaluate(() => 'stillTheSameDocument' in window)).toBe(true);
    await context.close();
  });

  async function get(address: string, more: http2.OutgoingHttpHeaders = {}) {
    const session = http2.connect(nginx.origin, { ca: nginx.certificate });
    try {
      return await new Promise<{ headers: http2.IncomingHttpHeaders & { ':status'?: number }; size: number }>(
        (resolve, reject) => {
          session.once('error', reject);
          const request = session.request({ ':path': address, 'accept-encoding': 'gzip', ...more });
          let headers: http2.IncomingHttpHeaders = {};
          let size = 0;
          request.on('response', (answer) => {
            headers = answer;
          });
          request.on('data', (chunk: Buffer) => {
            size += chunk.length;
          });
          request.on('end', () => resolve({ headers, size }));
          request.on('error', reject);
          request.end();
        },
      );
    } finally {
      session.close();
    }
  }
});
