/** What a real browser sends with its calls: the server knows which releases the page had, of each step to the code. */
import { signInByCode, words } from './steps';
import { expect, startOwnShop, test } from './test';

test('the server counts a purchase in a browser step by step, for the releases that the page had', async ({
  openTab,
}) => {
  const shop = await startOwnShop();
  try {
    const { page } = await openTab({ url: shop.url, language: 'zh-CN' });
    await page.goto(`${shop.url}/home`);
    await page.goto(`${shop.url}/goods/1`);
    const text = words['zh-CN'];
    await page.getByRole('radio', { name: text.faceValue }).click();
    await page.getByRole('button', { name: text.buy }).click();
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
    await expect
      .poll(counted)
      .toEqual(
        expect.arrayContaining(['visit 1', 'price 1', 'ask-sign-in 1', 'sign-in 1', 'order 1', 'paid 1', 'code 1']),
      );
  } finally {
    await shop.stop();
  }
});
