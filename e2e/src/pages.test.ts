/** Every route, in both languages, on a phone and a desktop, in both themes: it opens, without a fault, and axe finds nothing. */
import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { desktop, launchBrowser, openTab, phone } from './browser';
import { type Shop, startShop } from './shop';
import { beSignedIn, demoToken } from './steps';

let shop: Shop;
let browser: Browser;
let token: string;
let orderNo: string;

beforeAll(async () => {
  [shop, browser] = await Promise.all([startShop(), launchBrowser()]);
  token = await demoToken(shop);
  const answer = await fetch(`${shop.url}/api/front/order/list?tab=finished`, { headers: { authorization: token } });
  orderNo = ((await answer.json()) as { data: { list: Array<{ order_no: string }> } }).data.list[0]?.order_no ?? '';
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

const open = ['/home', '/goods', '/goods/1', '/goods/2', '/search', '/business', '/youxi', '/404', '/403'];
const articles = ['/article/agreement', '/article/guide', '/article/privacy'];
const guarded = [
  '/user',
  '/user/wallet',
  '/user/coupon',
  '/user/recharge',
  '/user/log',
  '/user/password',
  '/user/setting',
  '/order',
];

describe.each([
  { language: 'zh-CN', viewport: phone, theme: 'light', width: 390 },
  { language: 'en', viewport: desktop, theme: 'dark', width: 1280 },
] as const)('in $language, $theme, at $width pixels', ({ language, viewport, theme }) => {
  it('every page opens for a signed-in shopper, with no script error and nothing that axe finds', async () => {
    const { page, context, faults } = await openTab(browser, shop.url, { language, viewport, theme });
    await beSignedIn(page, token);
    const violations: string[] = [];
    for (const path of [...open, ...articles, ...guarded, `/order/detail/${orderNo}`]) {
      await page.goto(path);
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      await page.getByRole('heading').first().waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
      const { violations: found } = await new AxeBuilder({ page }).analyze();
      for (const { id, nodes } of found) violations.push(`${path}: ${id} ${nodes[0]?.target.join(' ')}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (overflow > 0) violations.push(`${path}: ${overflow} px wider than the window`);
    }
    expect(violations).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }, 240_000);

  it('a guest sees every open page, and is asked to sign in at every guarded one', async () => {
    const { page, context, faults } = await openTab(browser, shop.url, { language, viewport, theme });
    for (const path of open) {
      await page.goto(path);
      await page.getByRole('heading').first().waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
    }
    for (const path of guarded) {
      await page.goto(path);
      await page.getByRole('dialog').waitFor();
      expect(new URL(page.url()).pathname).toBe('/home');
    }
    expect(faults.filter((fault) => !fault.includes('404 (Not Found)'))).toEqual([]);
    await context.close();
  }, 240_000);
});
