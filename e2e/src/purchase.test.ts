import type { Locator } from '@playwright/test';
import { contentShown, cutTexts } from './audit';
import { desktop } from './browser';
import type { Shop } from './shop';
import { placeOrder, textCopiedBy, tokenOfNewShopper } from './steps';
import { expect, test } from './test';

/** Labels of `shop_release_steps_total`: the server counts them for the releases that a page names with its calls. */
const stepsOfPurchase = ['visit', 'price', 'ask-sign-in', 'sign-in', 'order', 'paid', 'code'];

async function stepsCounted({ url }: Shop): Promise<string[]> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const rows = metrics.matchAll(/^shop_release_steps_total\{name="catalog".*role="live",step="(.*)"\} [1-9]/gm);
  return [...rows].map(([, step = '']) => step);
}

// keyboard.test.ts does the same in English, in dollars and from the wallet.
test('a new shopper clicks Buy once, signs in, pays and sees the code, then tops up, buys from the wallet and signs out', async ({
  shop,
  openTab,
}) => {
  const phone = '13900000001';
  const { page } = await openTab({ language: 'zh-CN', reducedMotion: 'no-preference' });

  await page.goto('/');
  await expect(page).toHaveURL('/home');
  const tabBar = page.getByRole('navigation', { name: '主导航' });
  await expect(tabBar.getByRole('link', { name: '游戏' })).toBeVisible();

  await page.getByRole('link', { name: '搜索游戏' }).first().click();
  await page.getByRole('combobox').first().fill('ys');
  await page.getByRole('option', { name: '原神', exact: true }).click();
  await expect(page).toHaveURL(/\/goods\/\d+/);
  const goods = page.url();
  await page.getByRole('radio', { name: /^60 创世结晶/ }).click();

  // From here to the code, the shopper clicks four times and types a phone number and one code.
  let taps = 0;
  const tap = async (target: Locator) => {
    taps += 1;
    await target.click();
  };
  await tap(page.getByRole('button', { name: '立即购买' }));
  const login = page.getByRole('dialog', { name: '登录' });
  await login.getByRole('textbox', { name: '手机号' }).fill(phone);
  await tap(login.getByRole('button', { name: '获取验证码' }));
  await expect(login.getByRole('textbox', { name: '验证码' })).toBeFocused();
  await page.keyboard.type(await shop.codeFor(phone));
  await expect(page).toHaveURL(/\/order\/detail\//);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await tap(page.getByRole('button', { name: '付款 ¥5.76' }));
  await expect(page).toHaveURL(/\/cashier\//);
  await tap(page.getByRole('button', { name: /^确认支付/ }));
  await expect(page).toHaveURL(/\/order\/detail\//);
  await expect(page.getByRole('heading', { name: '已完成' })).toBeVisible();
  await expect(page.getByRole('button', { name: '复制卡密' }).first()).toBeVisible();
  expect(taps).toBe(4);
  await expect.poll(() => stepsCounted(shop)).toEqual(expect.arrayContaining(stepsOfPurchase));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await cutTexts(page)).toEqual([]);

  const copied = await textCopiedBy(page, () => page.getByRole('button', { name: '复制卡密' }).first().click());
  expect(copied.length).toBeGreaterThanOrEqual(8);
  await expect(page.getByText(copied, { exact: true }).first()).toBeVisible();

  await page.goto('/user/recharge');
  await page.getByRole('radio', { name: '¥100', exact: true }).click();
  await page.getByRole('button', { name: '付款 ¥100.00' }).click();
  await expect(page).toHaveURL(/\/cashier\//);
  await page.getByRole('button', { name: /^确认支付/ }).click();
  await expect(page).toHaveURL(/\/user\/wallet/);
  await expect(page.getByText('充值成功，¥100.00 已到账').first()).toBeVisible();

  // Now the wallet suffices: it is selected, and the codes replace the payment.
  await page.goto(goods);
  await page.getByRole('button', { name: '立即购买' }).click();
  await expect(page).toHaveURL(/\/order\/detail\//);
  await page.getByRole('button', { name: '付款 ¥5.76' }).click();
  await expect(page.getByRole('heading', { name: '已完成' })).toBeFocused();
  await expect(page.getByRole('button', { name: '复制卡密' }).first()).toBeVisible();

  await page.goto('/order');
  const bought = `
      - listitem:
        - article "原神":
          - link /原神 60 创世结晶 · 数量 1 \\d+年\\d+月\\d+日 [\\d:]+ 已完成/
          - 'button "再次购买：原神"'
          - 'link "查看卡密：原神"'`;
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "我的订单" [level=1]
    - tablist "订单状态":
      - tab "全部" [selected]
    - search "搜索订单":
      - searchbox "搜索订单"
    - list "订单列表":${bought}${bought}
  `);

  await page.goto('/user/log');
  for (const amount of ['+¥100.00', '−¥5.76']) await expect(page.getByText(amount).first()).toBeVisible();
  await page.goto('/user/wallet');
  await expect(page.getByText('¥94.24').first()).toBeVisible();

  await page.goto('/home');
  await page.getByRole('button', { name: '以后再说' }).click();

  await page.goto('/user');
  await page.getByRole('button', { name: '退出登录' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '退出登录' }).click();
  await expect(page).toHaveURL('/home');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

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
