/** Without a network, a returning visitor gets a message, nothing is paid, and the shop recovers (docs/adr/0011-service-worker.md). */
import { axeFaults, contentShown } from './audit';
import { launchBrowser, openTab as openTabIn } from './browser';
import { openWithWorker } from './navigation';
import { call, tokenOfNewShopper, words } from './steps';
import { expect, test } from './test';

/** The offline page retries at this interval (platform/pages/src/offline/connection-check.ts). */
const retryMs = 5_000;

// Not the defaults, so the page reads the stored settings.
test('a returning visitor without a network sees the offline page at any address, and it reloads with the network', async ({
  faultProxy,
  openTab,
}) => {
  const { page } = await openTab({
    url: faultProxy.url,
    language: 'en',
    theme: 'dark',
    serviceWorker: true,
    expectedErrors: /net::ERR_/,
  });
  await openWithWorker(page, '/home');
  faultProxy.breakPath('/', 'down');
  await page.goto('/goods/1?from=home');
  const heading = page.getByRole('heading', { name: 'You are offline' });
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL('/goods/1?from=home');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(14, 12, 23)');
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('status').getByText(/\S/).filter({ visible: true }).first()).toBeVisible();
  await page.reload();
  await expect(heading).toBeVisible();

  faultProxy.breakPath('/', null);
  await page.clock.fastForward(retryMs);
  await expect(page.getByRole('banner').getByRole('button').first()).toBeVisible();
  await page.goto('/home');
  await expect(page.getByRole('link', { name: words.en.games, exact: true }).first()).toBeVisible();
});

test('a page with a service worker returns from the back/forward cache unchanged', async ({ shop, faultProxy }) => {
  const browser = await launchBrowser({ backForwardCache: true });
  try {
    const { page } = await openTabIn(browser, faultProxy.url, { serviceWorker: true });
    await page.addInitScript(() => {
      addEventListener('pageshow', ({ persisted }) => Object.assign(window, { cameBack: persisted }));
    });
    await openWithWorker(page, '/home');
    await page.goto('/home');
    await expect(page.getByRole('heading').first()).toBeVisible();
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await page.goto(`${shop.url}/icon.svg`);
    // The timeout lets `evaluate` return first: the navigation destroys its context.
    await page.evaluate(() => void setTimeout(() => history.back()));
    await page.waitForFunction(() => 'cameBack' in window && window.cameBack === true);
    await expect(page.getByRole('heading').first()).toBeVisible();
  } finally {
    await browser.close();
  }
});

test('an order without a network is refused with a message, keeps the choices, and succeeds once the network is back', async ({
  shop,
  faultProxy,
  openTab,
}) => {
  const token = await tokenOfNewShopper(shop, '13911110005');
  const orderCount = async () => (await call<{ total: number }>(shop, '/api/front/order/list', token)).total;
  const before = await orderCount();
  const { page, context } = await openTab({
    url: faultProxy.url,
    language: 'zh-CN',
    serviceWorker: true,
    token,
    expectedErrors: /ERR_INTERNET_DISCONNECTED/,
  });
  const spec = page.getByRole('radio', { name: /300\+30/ });
  const buy = page.getByRole('button', { name: words['zh-CN'].buy });
  const offlineNotice = page.getByText('网络已断开，内容可能不是最新');
  await page.goto('/goods/1');
  await spec.click();
  await expect(buy).toBeVisible();
  // Until the price of the specification has arrived, Buy requests it first and shows another message without a network.
  await contentShown(page);
  await context.setOffline(true);
  await expect(offlineNotice).toBeVisible();
  await buy.click();
  await expect(page.getByRole('alert').filter({ hasText: '没有提交，也没有扣款' })).toBeVisible();
  await expect(spec).toBeChecked();
  await context.setOffline(false);
  await expect(offlineNotice).toHaveCount(0);
  expect(await orderCount()).toBe(before);
  await buy.click();
  await expect(page).toHaveURL(/\/order\/detail\//);
  expect(await orderCount()).toBe(before + 1);
});
