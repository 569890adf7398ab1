/** A day of codes that sell many times, on both sides of the counter. */
import { desktop, phone } from './browser';
import type { Shop } from './shop';
import { addStaff, type Credentials, openConsoleAt } from './staff-steps';
import { signInWithToken, tokenOfNewShopper, topUp } from './steps';
import { expect, startOwnShop, test } from './test';

let shop: Shop;
let manager: Credentials;
test.beforeAll(async () => {
  shop = await startOwnShop();
  manager = await addStaff(shop, 'Ann');
});
test.afterAll(() => shop?.stop());

test('staff put a text on sale three times and replace it; each buyer reads the text of the purchase, and what is left is sold out', async ({
  openTab,
}) => {
  const { page: staff } = await openTab({ url: shop.url, viewport: desktop, expectedErrors: /400/ });
  await openConsoleAt(staff, shop, manager, 'stock/of/genshin-card/60');
  const shared = staff.getByRole('region', { name: 'Shared code' });
  await shared.getByRole('button', { name: 'Sell a shared code instead' }).click();
  const text = shared.getByRole('textbox', { name: /^(Content|New content)/ });
  await text.fill('First choose the region.\nThen type STAR-2026.');
  await shared.getByRole('spinbutton', { name: /Pieces to sell/ }).fill('3');
  await shared.getByRole('button', { name: 'Save shared code' }).click();
  await expect(shared.getByRole('button', { name: 'View content' })).toBeVisible();

  const token = await tokenOfNewShopper(shop, '13911110001');
  await topUp(shop, token);
  const { page } = await openTab({ url: shop.url, viewport: phone, reducedMotion: 'reduce' });
  await signInWithToken(page, shop, token);
  await page.goto('/goods/1');
  await page.getByRole('radio', { name: /^60 创世结晶/ }).click();
  await page.getByRole('spinbutton', { name: '购买数量' }).fill('2');
  await page.getByRole('button', { name: '立即购买' }).click();
  await page.getByRole('button', { name: /^付款/ }).click();
  const codes = page.getByRole('region', { name: '卡密' });
  await expect(codes.getByText('First choose the region.\nThen type STAR-2026.')).toHaveCount(1);

  await staff.reload();
  await expect(staff.getByText('1 left')).toBeVisible();
  await text.fill('The region does not matter any more.');
  await shared.getByRole('button', { name: 'Save shared code' }).click();
  await expect(staff.getByText('Saved').first()).toBeVisible();
  await page.reload();
  await codes.getByRole('button', { name: '查看卡密' }).click();
  await expect(codes.getByText('First choose the region.\nThen type STAR-2026.')).toHaveCount(1);

  await page.goto('/goods/1');
  await page.getByRole('radio', { name: /^60 创世结晶/ }).click();
  await page.getByRole('button', { name: '立即购买' }).click();
  await page.getByRole('button', { name: /^付款/ }).click();
  await expect(codes.getByText('The region does not matter any more.')).toHaveCount(1);
  await page.goto('/goods/1');
  await expect(page.getByRole('radio', { name: /^60 创世结晶.*已售罄/ })).toBeDisabled();
});
