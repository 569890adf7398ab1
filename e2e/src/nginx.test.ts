/**
 * The shop behind nginx with the project's configuration, TLS and HTTP/2. Cached documents while the servers are down are tested in
 * platform/pages/src/serving.
 */
import path from 'node:path';
import { type Nginx, nginx as program, startNginx } from '@platform/pages/testing/nginx';
import { type FaultProxy, openFaultProxy } from './fault-proxy';
import { words } from './steps';
import { expect, test } from './test';

const text = words['zh-CN'];

let nginx: Nginx;
/** It is between nginx and the shop's server, so it sees the requests that reach Node. */
let api: FaultProxy;

// The certificate is made for the run. Policies work as with a trusted one.
test.use({ ignoreHTTPSErrors: true });
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

test('nginx serves a rendered document and its files over HTTP/2, and Node answers the rest', async ({ openTab }) => {
  const { page } = await openTab({ url: nginx.origin });
  await expect(async () => expect(await (await page.goto('/home'))?.text()).toContain('data-rendered=')).toPass();
  await expect(page.getByText('搜游戏、点卡、拼音首字母')).toBeVisible();
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
  expect(api.requests.filter((url) => url.startsWith('/r/'))).toEqual([]);
  expect(api.requests).toEqual(expect.arrayContaining(['/home', '/goods/1']));
});
