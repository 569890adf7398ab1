import type { Page } from '@playwright/test';
import { signInByCode, visibleButton } from './steps';
import { expect, test } from './test';

const overlays = (page: Page) => page.locator('.ui-overlay:not(.is-closing, [hidden])');
const scrollOf = (page: Page) => page.evaluate(() => window.scrollY);

/** Opens the overlay, and expects that Back closes it and keeps address and scroll position. */
async function closesByBack(page: Page, opener: RegExp): Promise<void> {
  const address = page.url();
  const before = await overlays(page).count();
  await visibleButton(page, opener).click();
  await expect(overlays(page), `${opener} opens`).toHaveCount(before + 1);
  const scroll = await scrollOf(page);
  await page.goBack();
  await expect(overlays(page), `${opener} closes`).toHaveCount(before);
  expect(page.url()).toBe(address);
  expect(await scrollOf(page)).toBe(scroll);
}

/** One Back leads to the page before, although overlays were opened. */
async function leavesByBack(page: Page, address: RegExp): Promise<void> {
  // The entry of a closed overlay is removed in a later turn.
  await page.waitForFunction(() => !window.history.state?.overlays);
  await page.goBack();
  await expect(page).toHaveURL(address);
}

test('Back closes each overlay of a guest: menu, filters, sign-in in a purchase with its country list', async ({
  openTab,
}) => {
  const { page } = await openTab({ language: 'en' });
  await page.goto('/home');
  await closesByBack(page, /^Open menu$/);
  // Closed by its button, the menu leaves no step; nor does a link in it.
  await visibleButton(page, /^Open menu$/).click();
  await page.getByRole('dialog').getByRole('link', { name: 'All games' }).click();
  await expect(page).toHaveURL(/\/goods$/);
  await expect(overlays(page)).toHaveCount(0);
  await closesByBack(page, /^Filter/);
  await leavesByBack(page, /\/home$/);
  await page.goForward();
  await expect(page).toHaveURL(/\/goods$/);

  await page.locator('a[href="/goods/1"]').filter({ visible: true }).first().click();
  await expect(page).toHaveURL(/\/goods\/1$/);
  await closesByBack(page, /^Buy now/);
  await visibleButton(page, /^Buy now/).click();
  await expect(overlays(page)).toHaveCount(1);
  await closesByBack(page, /^Country or region/);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(overlays(page)).toHaveCount(0);
  await leavesByBack(page, /\/goods$/);
});

for (const { what, opened, shown } of [
  { what: 'a page behind the guard, for a guest', opened: '/user/coupon', shown: '/home' },
  { what: 'the root', opened: '/', shown: '/home' },
  { what: 'no page', opened: '/no/such/page', shown: '/404' },
])
  test(`Back from an address of ${what} leads to the previous page`, async ({ openTab }) => {
    // Browsers report the status of that document.
    const { page } = await openTab({ language: 'zh-CN', expectedErrors: /status of 404 .*\/no\/such\/page$/ });
    await page.goto('/goods');
    await page.goto(opened);
    await expect(page).toHaveURL(shown);
    const dialog = page.getByRole('dialog', { name: '登录' });
    await expect(dialog).toHaveCount(opened === '/user/coupon' ? 1 : 0);
    if (opened === '/user/coupon') {
      await page.goBack();
      await expect(dialog).toHaveCount(0);
      await expect(page).toHaveURL(shown);
    }
    await page.goBack();
    await expect(page).toHaveURL('/goods');
    await expect(page.getByRole('heading', { level: 1, name: '全部游戏' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

test('Back leads from an order to the product, also after the cashier', async ({ openTab, shop }) => {
  const { page } = await openTab({ language: 'zh-CN' });
  await page.goto('/home');
  await page.locator('a[href="/goods/1"]').first().click();
  await page.getByRole('button', { name: '立即购买' }).click();
  await signInByCode(page, shop, '13912340076');
  await expect(page).toHaveURL(/\/order\/detail\//);
  await page.goBack();
  await expect(page).toHaveURL('/goods/1');
  await expect(page.getByRole('heading', { name: '原神', level: 1 })).toBeVisible();

  await page.goForward();
  await page.getByRole('button', { name: /^付款/ }).click();
  await page.getByRole('button', { name: /^确认支付/ }).click();
  await expect(page).toHaveURL(/\/order\/detail\//);
  // The cashier's page and the earlier order are in between; home is not.
  const passed: string[] = [];
  while (!page.url().endsWith('/goods/1') && passed.length < 4) {
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    passed.push(new URL(page.url()).pathname);
  }
  expect(passed.filter((path) => !/^\/(order\/detail|cashier)\//.test(path))).toEqual(['/goods/1']);
});
