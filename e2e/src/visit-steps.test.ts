/** What a real browser sends with its calls: the server knows which releases the page had, of each step to the code. */
import type { Shop } from './shop';
import { signInByCode, words } from './steps';
import { expect, startOwnShop, test } from './test';

let shop: Shop;
test.beforeAll(async () => {
  shop = await startOwnShop();
});
test.afterAll(() => shop?.stop());

test('the server counts a purchase in a browser step by step, for the releases that the page had', async ({
  openTab,
}) => {
  const { page } = await openTab({ url: shop.url, language: 'zh-CN' });
  await page.goto(`${shop.url}/goods/1`);
  await page.getByRole('radio', { name: /^60 创世结晶/ }).click();
  await page.getByRole('button', { name: words['zh-CN'].buy }).click();
  await signInByCode(page, shop, '13900000062');
  await page.getByRole('button', { name: /^付款 ¥/ }).click();
  await page.getByRole('button', { name: /^确认支付/ }).click();
  await expect(page.getByRole('button', { name: '复制卡密' }).first()).toBeVisible();
  const counted = async () => {
    const lines = (await (await fetch(`${shop.url}/metrics`)).text()).split('\n');
    return lines.flatMap((line) => {
      const [, step, visits] =
        /^shop_release_steps_total\{name="catalog".*role="live",step="(.*)"\} (\d+)$/.exec(line) ?? [];
      return step ? [`${step} ${visits}`] : [];
    });
  };
  const steps = ['visit 1', 'price 1', 'ask-sign-in 1', 'sign-in 1', 'order 1', 'paid 1', 'code 1'];
  await expect.poll(counted).toEqual(expect.arrayContaining(steps));
});
