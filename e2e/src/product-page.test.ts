import { contentShown } from './audit';
import { desktop, phone } from './browser';
import { placeOrder, signInByCode, tokenOfNewShopper } from './steps';
import { expect, test } from './test';

test('a desktop shows the fields of a direct top-up beside Buy, also with all data of a signed-in shopper', async ({
  openTab,
  demoToken,
}) => {
  const { page } = await openTab({ language: 'en', viewport: desktop, token: demoToken });
  await page.goto('/goods/3');
  await contentShown(page);
  const form = page.getByRole('group', { name: 'Account to top up' });
  await expect(form.getByRole('textbox', { name: 'UID' })).toBeInViewport({ ratio: 1 });
  const buy = page.getByRole('button', { name: 'Buy now' });
  await expect(buy).toBeInViewport({ ratio: 1 });
  const [left, right] = [await form.boundingBox(), await buy.boundingBox()];
  expect(left?.x).toBe(right?.x);
});

test('a desktop shows the whole payment of an order beside the product', async ({ openTab, shop }) => {
  const token = await tokenOfNewShopper(shop, '13912340077');
  const { page } = await openTab({ language: 'en', viewport: desktop, token });
  await page.goto(`/order/detail/${await placeOrder(shop, token)}`);
  await contentShown(page);
  const pay = page.getByRole('button', { name: /^Pay / });
  await expect(pay).toBeInViewport({ ratio: 1 });
  const product = await page.getByRole('heading', { name: 'Product' }).boundingBox();
  expect((await pay.boundingBox())?.x).toBeGreaterThan((product?.x ?? Infinity) + (product?.width ?? 0));
});

test('Back leads from an order to the product, also after the cashier', async ({ openTab, shop }) => {
  const { page } = await openTab({ language: 'zh-CN', viewport: phone });
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
