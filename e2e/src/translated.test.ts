/** Rewrites the text nodes of a page as browser translation does. Other rewritings are in shell/src/app/foreign-changes.test.tsx. */
import { phone } from './browser';
import { tokenOfNewShopper } from './steps';
import { expect, test } from './test';

/** Also texts that no translator touches, such as prices. */
function translate(): void {
  const walker = document.createTreeWalker(document.getElementById('root') as Element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const inner = document.createElement('font');
    inner.textContent = text.data;
    const outer = document.createElement('font');
    outer.append(inner);
    text.replaceWith(outer);
  }
}

const rendered = /the document was rendered again|hydrat/i;

test('a product page that is translated before its hydration and again later shows each new figure, and no release is reported', async ({
  openTab,
  faultProxy,
  shop,
}) => {
  const token = await tokenOfNewShopper(shop, '13912340091');
  const { page } = await openTab({
    url: faultProxy.url,
    language: 'zh-CN',
    viewport: phone,
    token,
    expectedErrors: rendered,
  });
  await page.addInitScript(`addEventListener('DOMContentLoaded', () => (${translate})())`);
  await page.goto('/goods/1');
  await expect(page.locator('main')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.evaluate(translate);
  const total = page.locator('.catalog-total .ui-price');
  const first = await total.textContent();
  await page.locator('.ui-stepper button').last().click();
  await expect(total).not.toHaveText(first ?? '');
  await page.evaluate(translate);
  await page.locator('.ui-stepper button').first().click();
  await expect(total).toHaveText(first ?? '');
  await page.evaluate(translate);
  await page.locator('.catalog-spec').nth(1).click();
  await expect(total).not.toHaveText(first ?? '');
  await page.locator('.catalog-coupon-cell').click();
  await page.evaluate(translate);
  await page.getByRole('dialog').getByRole('button').last().click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('.shell-page-failure')).toHaveCount(0);
  expect(faultProxy.reports.filter(({ kind }) => /render|error|rejection/.test(kind))).toEqual([]);
});
