import { contentShown, layoutShifts, recordLayoutShifts } from './audit';
import { phone } from './browser';
import { holdRequests } from './navigation';
import { hydrated } from './rendered-steps';
import { placeOrder, signInWithToken, tokenOfNewShopper, topUp } from './steps';
import { documentsRendered, expect, test } from './test';

test.beforeAll(async ({ shop }) => {
  for (const language of ['zh-CN', 'en'])
    await documentsRendered(shop, ['/home', '/goods', '/goods/1', '/search'], `language=${language}`);
});

test('codes that are paid from the wallet appear in their reserved space', async ({ shop, openTab }) => {
  const { page } = await openTab({ viewport: phone });
  const token = await tokenOfNewShopper(shop, '13900000075');
  await topUp(shop, token);
  await signInWithToken(page, shop, token);
  await recordLayoutShifts(page);
  await page.goto(`/order/detail/${await placeOrder(shop, token)}`);
  // A script clicks, because shifts within half a second of a real click do not count.
  const pay = page.getByRole('button', { name: '付款 ¥5.76' });
  await expect(pay).toBeEnabled();
  const before = await layoutShifts(page);
  await pay.evaluate((button: HTMLButtonElement) => button.click());
  await expect(page.getByRole('button', { name: '复制卡密' })).toBeVisible();
  // Elements behind the payment bar count, too: 0.013 on a phone.
  const { sum, what } = await layoutShifts(page);
  expect(sum - before.sum > 0.02 ? what : []).toEqual([]);
});

for (const { refuses, language, cookie } of [
  { refuses: 'storage', language: '', cookie: 'en' },
  { refuses: 'cookies', language: 'en', cookie: '' },
])
  test(`an English visitor whose browser refuses ${refuses} gets English and dollars, and pages do not move`, async ({
    shop,
    openTab,
  }) => {
    const { page, context } = await openTab();
    if (cookie) await context.addCookies([{ name: 'language', value: cookie, url: shop.url }]);
    await page.addInitScript(
      ({ refuses, language }) => {
        const get = () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        };
        if (language) localStorage.setItem('language', language);
        if (refuses === 'cookies') Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });
        else for (const kind of ['localStorage', 'sessionStorage']) Object.defineProperty(window, kind, { get });
      },
      { refuses, language },
    );
    await recordLayoutShifts(page);
    for (const path of ['/home', '/goods/1']) {
      await page.goto(path);
      await contentShown(page);
      await expect(page).toHaveURL(path);
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      await expect(page.getByRole('main')).toContainText('Genshin Impact');
      await expect(page.getByRole('main')).toContainText('$');
      await expect(page.getByRole('main')).not.toContainText('¥');
      expect((await layoutShifts(page)).sum).toBeLessThan(0.05);
    }
  });

test('scrolling before the scripts arrive is not lost', async ({ openTab }) => {
  const { page } = await openTab({ language: 'en', viewport: phone });
  const sendScripts = await holdRequests(page, /\/r\/shell\/[^/]+\/main\.\w+\.js/);
  await page.goto('/goods', { waitUntil: 'commit' });
  await page.locator('main a[href^="/goods/"]').nth(6).scrollIntoViewIfNeeded();
  const scrollY = () => page.evaluate(() => window.scrollY);
  const scrolled = await scrollY();
  expect(scrolled).toBeGreaterThan(200);
  sendScripts();
  await hydrated(page);
  expect(await scrollY()).toBe(scrolled);
});
