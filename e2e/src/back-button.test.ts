import type { Page } from '@playwright/test';
import { phone } from './browser';
import { expect, test } from './test';

const overlays = (page: Page) => page.locator('.ui-overlay:not(.is-closing, [hidden])');
const visibleButton = (page: Page, name: RegExp) =>
  page.getByRole('button', { name }).filter({ visible: true }).first();
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
  const { page } = await openTab({ language: 'en', viewport: phone });
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
