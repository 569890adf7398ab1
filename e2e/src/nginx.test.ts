/** The shop behind nginx, with the project's configuration, TLS and HTTP/2: the shop servers' documents, and every one opens without Node. */
import { spawnSync } from 'node:child_process';
import http2 from 'node:http2';
import path from 'node:path';
import { describeSite, withStaticSite } from '@platform/pages';
import { freePort, type Nginx, startNginx } from '@platform/pages/testing/nginx';
import { liveVersion, openStore, promote, type ReleaseManifest, rollback, type Store } from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import type { Browser, Page } from '@playwright/test';
import { SITE } from '@shop/shared/site';
import { launchBrowser, openTab } from './browser';
import { type FaultProxy, openFaultProxy } from './fault-proxy';
import { isMarkedDocument, markDocument, navigate } from './navigation';
import type { Shop } from './shop';
import { words } from './steps';
import { test as base, expect, liveManifests, startOwnShop } from './test';

describeSite(SITE);

const program = [process.env.NGINX_PATH ?? '', '/usr/sbin/nginx', '/usr/local/sbin/nginx', 'nginx'].find(
  (file) => file && spawnSync(file, ['-v']).status === 0,
);
const text = words['zh-CN'];
const by = { by: 'a test' };

let shop: Shop;
let store: Store;
let nginx: Nginx;
let browser: Browser;
/** Between nginx and the shop's server: it sees what is requested of Node. */
let api: FaultProxy;
let apiPort: number;
let catalog: ReleaseManifest;

const test = base.extend<{
  /** Opens a tab of a new visitor at nginx. Unexpected script and console errors fail the test. */
  openPage(expectedErrors?: RegExp): Promise<Page>;
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern
  openPage: async ({}, use) => {
    const unexpected: string[] = [];
    const closings: Array<() => Promise<void>> = [];
    await use(async (expectedErrors) => {
      const { page, context, errors } = await openTab(browser, nginx.origin);
      closings.push(async () => {
        unexpected.push(...errors.filter((error) => !expectedErrors?.test(error)));
        await context.close();
      });
      return page;
    });
    for (const close of closings) await close();
    expect(unexpected).toEqual([]);
  },
});

// In order and on one shop: the tests change what is live and stop the API.
test.describe.configure({ mode: 'default' });
test.skip(!program, 'nginx is not installed');

test.beforeAll(async () => {
  if (!program) return;
  shop = await startOwnShop();
  store = withStaticSite(openStore({ dataDir: shop.dataDir }));
  apiPort = await freePort();
  api = await openFaultProxy(shop.url, [], apiPort);
  nginx = await startNginx({ program, place: path.join(shop.dataDir, 'store'), apiPort, tls: true });
  // The certificate is trusted, so that caches and policies work as with a real one.
  browser = await launchBrowser({ flags: [`--ignore-certificate-errors-spki-list=${nginx.publicKeyHash}`] });
  catalog = (await liveManifests(store)).catalog as ReleaseManifest;
});
test.afterAll(async () => {
  await browser?.close();
  await nginx?.stop();
  await api?.close();
  await shop?.stop();
});

const searchField = (page: Page) => page.getByText('搜游戏、点卡、拼音首字母');

test('a document comes rendered and its files from nginx over HTTP/2; Node answers documents, calls and pictures', async ({
  openPage,
}) => {
  const page = await openPage();
  await expect(async () => expect(await (await page.goto('/home'))?.text()).toContain('data-rendered=')).toPass();
  await expect(searchField(page)).toBeVisible();
  await expect(page.getByText('原神').first()).toBeVisible();
  const protocols = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ name }) => name.startsWith(location.origin))
      .map((entry) => (entry as PerformanceResourceTiming).nextHopProtocol),
  );
  expect(protocols.length).toBeGreaterThan(8);
  expect([...new Set(protocols)]).toEqual(['h2']);
  await page.getByRole('link', { name: text.searchLink }).first().click();
  await expect(page).toHaveURL('/search');
  await page.goto('/goods/1');
  await expect(page.getByRole('button', { name: text.buy })).toBeVisible();
  expect(api.requests.length).toBeGreaterThan(0);
  const others = api.requests.filter((url) => !/^\/(api|media|uploads)\//.test(url));
  expect([...new Set(others)]).toEqual(['/home', '/goods/1']);
});

test('release files are sent as compressed at publish and cached for good; documents and the map are revalidated', async () => {
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
});

test('the content security policy in the document is in force', async ({ openPage }) => {
  await api.close();
  expect((await get('/home')).headers).toMatchObject({
    'content-security-policy': "frame-ancestors 'none'",
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  const page = await openPage(/./);
  await page.goto('/home');
  await expect(searchField(page)).toBeVisible();
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
  api = await openFaultProxy(shop.url, [], apiPort);
});

test('an open tab follows a promote and a rollback without a reload of nginx', async ({ openPage }) => {
  const [one, two] = [
    await publishVariant(store, catalog, 'sound', 'behind nginx, one'),
    await publishVariant(store, catalog, 'sound', 'behind nginx, two'),
  ];
  const goLive = ({ version }: ReleaseManifest) =>
    promote(store, { ...by, name: 'catalog', version, skip: ['own-pages', 'browser'], why: 'a test' });
  await goLive(one);
  const page = await openPage();
  await page.goto('/home');
  const expectServedBy = ({ version }: ReleaseManifest) =>
    expect(page.locator('html')).toHaveAttribute('data-catalog', version, { timeout: 15_000 });
  await expectServedBy(one);
  await markDocument(page);
  await goLive(two);
  await page.getByRole('link', { name: text.searchLink }).first().click();
  await expect(page).toHaveURL('/search');
  await expectServedBy(two);
  expect(await isMarkedDocument(page)).toBe(true);
  await rollback(store, { ...by, name: 'catalog' });
  await navigate(page, '/home');
  // The tab ran a withdrawn release, so it may load the document again at any pause from here on.
  await expectServedBy(one);
});

test('pages open while Node is down, say what fails, and recover without a load', async ({ openPage }) => {
  await api.close();
  const page = await openPage(/./);
  await page.goto('/goods/1');
  await markDocument(page);
  const alert = page.getByRole('main').getByRole('alert').first();
  await expect(alert).toBeVisible();
  // A page that needs no call.
  await page.goto('/business');
  await expect(page.getByRole('textbox').first()).toBeVisible();
  await page.goto('/goods/1');
  await expect(alert).toBeVisible();
  await markDocument(page);
  api = await openFaultProxy(shop.url, [], apiPort);
  await alert.getByRole('button', { name: text.tryAgain }).click();
  await expect(page.getByRole('button', { name: text.buy })).toBeVisible();
  expect(await isMarkedDocument(page)).toBe(true);
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
