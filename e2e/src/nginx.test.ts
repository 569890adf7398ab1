/** The shop behind nginx, with the project's configuration, TLS and HTTP/2: the shop servers' documents, and every one opens without Node. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { type Nginx, startNginx } from '@platform/pages/testing/nginx';
import type { Page } from '@playwright/test';
import { type FaultProxy, openFaultProxy } from './fault-proxy';
import { isMarkedDocument, markDocument } from './navigation';
import { words } from './steps';
import { expect, test } from './test';

const program = [process.env.NGINX_PATH ?? '', '/usr/sbin/nginx', '/usr/local/sbin/nginx', 'nginx'].find(
  (file) => file && spawnSync(file, ['-v']).status === 0,
);
const text = words['zh-CN'];

let nginx: Nginx;
/** Between nginx and the shop's server: it sees what is requested of Node. */
let api: FaultProxy;

// The certificate is made for the run. Policies work as with a trusted one.
test.use({ ignoreHTTPSErrors: true });
// In order and with one proxy, at which they take the API away.
test.describe.configure({ mode: 'default' });
test.skip(!program, 'nginx is not installed');

test.beforeAll(async ({ shop }) => {
  if (!program) return;
  api = await openFaultProxy(shop.url, []);
  const apiPort = Number(new URL(api.url).port);
  nginx = await startNginx({ program, place: path.join(shop.dataDir, 'store'), apiPort, tls: true });
});
test.afterAll(async () => {
  await nginx?.stop();
  await api?.close();
});

const searchField = (page: Page) => page.getByText('搜游戏、点卡、拼音首字母');

test('a document comes rendered and its files from nginx over HTTP/2; Node answers documents, calls and pictures', async ({
  openTab,
}) => {
  const { page } = await openTab({ url: nginx.origin });
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

test('the content security policy in the document is in force', async ({ openTab }) => {
  api.breakPath('/', 'down');
  const { page } = await openTab({ url: nginx.origin, expectedErrors: /./ });
  const answer = await page.goto('/home');
  expect(answer?.headers()).toMatchObject({
    'content-security-policy': "frame-ancestors 'none'",
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  await expect(searchField(page)).toBeVisible();
  const ran = await page.evaluate(async () => {
    const refused = new Promise((resolve) => document.addEventListener('securitypolicyviolation', resolve));
    const holder = document.createElement('div');
    try {
      holder.innerHTML = '<img src="x" onerror="window.ran = true">';
    } catch {
      // Refused by Trusted Types before it is markup.
    }
    document.body.append(holder);
    await refused;
    return 'ran' in window;
  });
  expect(ran).toBe(false);
});

test('pages open while Node is down, say what fails, and recover without a load', async ({ openTab }) => {
  api.breakPath('/', 'down');
  const { page } = await openTab({ url: nginx.origin, expectedErrors: /./ });
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
  api.breakPath('/', null);
  await alert.getByRole('button', { name: text.tryAgain }).click();
  await expect(page.getByRole('button', { name: text.buy })).toBeVisible();
  expect(await isMarkedDocument(page)).toBe(true);
});
