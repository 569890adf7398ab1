/** Every sheet and dialog, and every page while it waits, when it fails and when it has nothing to show: axe finds nothing. */
import type { Browser, Page } from 'playwright-core';
import { audit } from './audit';
import { desktop, launchBrowser, openTab, phone } from './browser';
import { type Shop, startShop } from './shop';
import { beSignedIn, demoToken, orderThatMay, placeOrder, tokenOfNewShopper } from './steps';

let shop: Shop;
let browser: Browser;
let token: string;

beforeAll(async () => {
  [shop, browser] = await Promise.all([startShop(), launchBrowser()]);
  token = await demoToken(shop);
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

/** Pages that ask the server for what they show. */
const pagesWithData = [
  '/home',
  '/goods',
  '/goods/1',
  '/article/guide',
  '/user/wallet',
  '/user/coupon',
  '/user/recharge',
  '/user/log',
  '/order',
];
/** What the shell itself asks for: without it there is no page to be in a state. */
const ofTheShell = /\/api\/front\/(app\/config|user\/info|coupon\/check)/;

/** The state as it stands, in both themes. */
async function inBothThemes(page: Page, where: string): Promise<string[]> {
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
    // Two frames: the first still draws what was there.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    found.push(...(await audit(page, `${where} ${theme}`)));
  }
  return found;
}

describe.each([
  { language: 'zh-CN', width: 390, viewport: phone },
  { language: 'en', width: 1280, viewport: desktop },
] as const)('in $language at $width pixels, light and dark', ({ language, viewport }) => {
  const tab = () => openTab(browser, shop.url, { language, viewport });
  const button = (page: Page, name: RegExp) => page.getByRole('button', { name }).filter({ visible: true }).first();

  it('every dialog of a guest: menu, support, sign-in, registration, with their errors', async () => {
    const { page, context, faults } = await tab();
    const found: string[] = [];
    await page.goto('/home');
    await button(page, /^(打开菜单|Open menu)$/).click();
    await page.getByRole('dialog').waitFor();
    found.push(...(await inBothThemes(page, 'menu')));
    // The page below may have a button of the same name.
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(联系客服|Contact support)$/ })
      .click();
    await page.getByRole('dialog', { name: /联系客服|Contact support/ }).waitFor();
    found.push(...(await inBothThemes(page, 'support')));
    await page.keyboard.press('Escape');

    await page.goto('/user');
    const login = page.getByRole('dialog');
    await login.waitFor();
    found.push(...(await inBothThemes(page, 'sign-in')));
    await login.getByRole('button', { name: /^(登录|Sign in)$/ }).click();
    await login.locator('[aria-invalid="true"]').first().waitFor();
    found.push(...(await inBothThemes(page, 'sign-in with errors')));
    await login.getByRole('button', { name: /^(注册|Register|Sign up)$/ }).click();
    const register = page.getByRole('dialog', { name: /注册|Register|Sign up/ });
    await register.waitFor();
    found.push(...(await inBothThemes(page, 'registration')));
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }, 120_000);

  it('every sheet of a signed-in shopper: coupons, cards, refund, cancel, delete, profile, sign-out', async () => {
    const { page, context, faults } = await tab();
    await beSignedIn(page, token);
    const found: string[] = [];
    const opened = async (what: string, path: string, press: RegExp) => {
      if (new URL(page.url(), shop.url).pathname !== path) await page.goto(path);
      await button(page, press).click();
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
      found.push(...(await inBothThemes(page, what)));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor({ state: 'detached' });
    };
    await opened('coupon picker', '/goods/1', /^(优惠券|Coupon)/);
    const finished = `/order/detail/${await orderThatMay('reveal', shop, token)}`;
    await opened('card check', finished, /^(查看卡密|View codes)/);
    await opened('delete', finished, /^(删除订单|Delete order)/);
    await opened(
      'refund',
      `/order/detail/${await orderThatMay('refund', shop, token)}`,
      /^(申请退款|Request a refund)/,
    );
    await opened('cancel', `/order/detail/${await placeOrder(shop, token)}`, /^(取消订单|Cancel order)/);
    for (const field of [/^(昵称|Nickname)/, /^(生日|Birthday)/, /^(邮箱|Email)/, /^(实名|Real name)/]) {
      await opened(`profile ${field}`, '/user/setting', field);
    }
    await opened('sign-out', '/user/setting', /^(退出登录|Sign out)/);
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }, 180_000);

  it('the coupon prompt and its result', async () => {
    const { page, context, faults } = await tab();
    const fresh = await tokenOfNewShopper(shop, language === 'en' ? '13911110001' : '13911110002');
    await page.addInitScript((kept) => localStorage.setItem('token', kept), fresh);
    await page.goto('/home');
    const prompt = page.getByRole('dialog', { name: /优惠券|coupon/i });
    await prompt.waitFor();
    const found = await inBothThemes(page, 'coupon prompt');
    await prompt.getByRole('button', { name: /^(立即领取|Receive|Get|Claim)/ }).click();
    await page.getByRole('dialog', { name: /^(领取成功|Receive succeeded)$/ }).waitFor();
    found.push(...(await inBothThemes(page, 'coupon result')));
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }, 120_000);

  it('a shopper with nothing yet: no orders, coupons, records; a search without a result', async () => {
    const { page, context, faults } = await tab();
    await beSignedIn(page, await tokenOfNewShopper(shop, language === 'en' ? '13911110003' : '13911110004'));
    const found: string[] = [];
    for (const path of ['/order', '/user/wallet', '/user/coupon', '/user/log', '/search?keyword=zzzzzz']) {
      await page.goto(path);
      await page.locator('.ui-empty').first().waitFor();
      found.push(...(await inBothThemes(page, `${path} empty`)));
    }
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }, 120_000);

  it('every page when its calls fail says so and offers another try, and then works', async () => {
    const { page, context } = await tab();
    await beSignedIn(page, token);
    let broken = true;
    await page.route('**/api/front/**', (route) =>
      broken && !ofTheShell.test(route.request().url())
        ? route.fulfill({ status: 500, contentType: 'application/json', body: '{"code":500,"message":"","data":null}' })
        : route.fallback(),
    );
    const found: string[] = [];
    for (const path of pagesWithData) {
      broken = true;
      await page.goto(path);
      const again = button(page, /^(重试|Try again)$/);
      await again.waitFor().catch(() => found.push(`${path}: offers no other try`));
      if (!(await again.isVisible())) continue;
      found.push(...(await inBothThemes(page, `${path} failed`)));
      broken = false;
      await again.click();
      await page
        .getByRole('alert')
        .filter({ has: button(page, /^(重试|Try again)$/) })
        .first()
        .waitFor({ state: 'detached' });
    }
    expect(found).toEqual([]);
    await context.close();
  }, 240_000);

  it('every page while its calls are under way shows its skeleton', async () => {
    const { page, context, faults } = await tab();
    await beSignedIn(page, token);
    await page.route('**/api/front/**', (route) =>
      ofTheShell.test(route.request().url()) ? route.fallback() : undefined,
    );
    const found: string[] = [];
    for (const path of pagesWithData) {
      await page.goto(path);
      await page.locator('.ui-skeleton').filter({ visible: true }).first().waitFor();
      found.push(...(await inBothThemes(page, `${path} under way`)));
    }
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }, 240_000);
});
