/** A new shopper buys a game card: from the first page to the code and the funds log. */
import type { Locator } from 'playwright-core';
import { cutTexts } from './audit';
import type { Shop } from './shop';
import { type Language, orderAllowing, signInByCode, words } from './steps';
import { expect, type OpenTab, test } from './test';

const purchaseWords = {
  'zh-CN': {
    values: '选择面值',
    firstValue: '60 创世结晶 ¥5.76 原价 ¥6.00',
    soldOut: '6480+1600 创世结晶 ¥622.08 原价 ¥648.00 已售罄',
    quantity: '购买数量',
    total: '合计 ¥5.76',
    note: '购买须知',
    orders: '我的订单',
    orderStatus: '订单状态',
    allOrders: '全部',
    searchOrders: '搜索订单',
    orderList: '订单列表',
    boughtTwice: '原神 60 创世结晶 · 数量 1 已完成',
    again: '再次购买：原神',
    viewCodes: '查看卡密：原神',
    loginTitle: '登录',
    sent: '验证码已发送',
    order: '订单详情',
    unpaid: '待付款',
    payOrder: '付款 ¥5.76',
    methods: '支付方式',
    next: '付款之后',
    appears: '付款后卡密立即显示在本页。',
    cashierPay: /^确认支付/,
    finished: '已完成',
    codes: '卡密',
    shown: '已显示 1 张卡密',
    copyCode: '复制卡密',
    hundred: /^¥100$/,
    payHundred: '付款 ¥100.00',
    credited: '充值成功，¥100.00 已到账',
    inLog: ['+¥100.00', '-¥5.76'],
    left: '¥94.24',
    later: '以后再说',
    signOut: '退出登录',
    confirmSignOut: /^(退出登录|退出|确定|确认)/,
  },
  en: {
    values: 'Choose a value',
    firstValue: '60 Genesis Crystals $0.95 Original price $0.99',
    soldOut: '6480+1600 Genesis Crystals $95.99 Original price $99.99 Sold out',
    quantity: 'Quantity',
    total: 'Total $0.95',
    note: 'Before you buy',
    orders: 'My orders',
    orderStatus: 'Order status',
    allOrders: 'All',
    searchOrders: 'Search orders',
    orderList: 'Orders',
    boughtTwice: 'Genshin Impact 60 Genesis Crystals · Quantity 1 Finished',
    again: 'Buy again: Genshin Impact',
    viewCodes: 'View codes: Genshin Impact',
    loginTitle: 'Sign in',
    sent: 'Code sent',
    order: 'Order detail',
    unpaid: 'Unpaid',
    payOrder: 'Pay $0.95',
    methods: 'Payment method',
    next: 'After you pay',
    appears: 'Your codes appear on this page as soon as you have paid.',
    cashierPay: /^Pay now/,
    finished: 'Finished',
    codes: 'Card codes',
    shown: 'Codes shown: 1',
    copyCode: 'Copy code',
    hundred: /^\$100$/,
    payHundred: 'Pay $100.00',
    credited: '$100.00',
    inLog: ['+$100.00', '-$0.95'],
    left: '$99.05',
    later: 'Later',
    signOut: 'Sign out',
    confirmSignOut: /^(Sign out|Yes|Confirm)/,
  },
} as const;

/** Presses of a shopper, without those into a field, and seconds since the first one. */
function counting() {
  let taps = 0;
  let start = 0;
  return {
    tap: async (target: Locator) => {
      start ||= Date.now();
      taps += 1;
      await target.click();
    },
    result: () => ({ taps, seconds: Math.round((Date.now() - start) / 100) / 10 }),
  };
}

async function purchase(shop: Shop, openTab: OpenTab, language: Language, phone: string): Promise<void> {
  const text = { ...words[language], ...purchaseWords[language] };
  const { page } = await openTab({ language, reducedMotion: 'no-preference' });

  await page.goto('/');
  await expect(page).toHaveURL('/home');
  const tabBar = page.getByRole('navigation', { name: /主导航|Main/ });
  await expect(tabBar.getByRole('link', { name: text.games })).toBeVisible();

  await page.getByRole('link', { name: text.searchLink }).first().click();
  await page.getByRole('combobox').or(page.getByRole('searchbox')).first().fill('ys');
  await page.getByRole('option', { name: text.genshin, exact: true }).click();
  await expect(page).toHaveURL(/\/goods\/\d+/);
  const goods = page.url();
  await page.getByRole('radio', { name: text.faceValue }).or(page.getByText(text.faceValue)).first().click();

  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "${text.genshin}" [level=1]
    - group "${text.values}":
      - radio "${text.firstValue}" [checked]
      - radio "${text.soldOut}" [disabled]
    - button [disabled]
    - spinbutton "${text.quantity}": "1"
    - button
    - status: ${text.total}
    - button "${text.buy}"
    - region "${text.note}"
  `);

  // From here to the code the shopper presses four times and types a phone number and one code.
  const { tap, result } = counting();
  await tap(page.getByRole('button', { name: text.buy }));
  const login = page.getByRole('dialog', { name: text.loginTitle });
  await login.getByRole('textbox', { name: text.phone }).fill(phone);
  await tap(login.getByRole('button', { name: text.sendCode }));
  await expect(login.getByRole('textbox', { name: text.code })).toBeFocused();
  await expect(login).toMatchAriaSnapshot(`
    - dialog "${text.loginTitle}":
      - heading "${text.loginTitle}" [level=2]
      - tablist:
        - tab [selected]
        - tab
      - textbox "${text.phone}"
      - textbox "${text.code}"
      - button [disabled]
      - status: ${text.sent}
      - checkbox [checked]
      - link
      - link
      - link
      - button "${text.loginTitle}"
  `);
  await page.keyboard.type(await shop.codeFor(phone));
  await expect(page).toHaveURL(/\/order\/detail\//);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "${text.order}" [level=1]
    - heading /${text.unpaid}/ [level=2]
    - region "${text.methods}":
      - heading "${text.methods}" [level=2]
      - group "${text.methods}":
        - radio [checked]
        - radio [disabled]
      - alert
      - list "${text.next}":
        - listitem: ${text.appears}
        - listitem
        - listitem
      - button "${text.payOrder}"
  `);
  await tap(page.getByRole('button', { name: text.payOrder }));
  await expect(page).toHaveURL(/\/cashier\//);
  await tap(page.getByRole('button', { name: text.cashierPay }));
  await expect(page).toHaveURL(/\/order\/detail\//);
  await expect(page.getByRole('heading', { name: text.finished })).toBeVisible();
  await expect(page.getByRole('button', { name: text.copyCode }).first()).toBeVisible();
  const counted = result();
  console.log(`from the product to the code, ${language}: ${counted.taps} presses, ${counted.seconds} s`);
  expect(counted.taps).toBe(4);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "${text.finished}" [level=2]
    - region "${text.codes}":
      - heading "${text.codes}" [level=2]
      - status: "${text.shown}"
      - list:
        - listitem:
          - code
          - button
          - code
          - button "${text.copyCode}"
  `);
  expect(await cutTexts(page)).toEqual([]);

  await page.getByRole('button', { name: text.copyCode }).first().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.length).toBeGreaterThanOrEqual(8);
  await expect(page.getByText(copied, { exact: true }).first()).toBeVisible();

  await page.goto('/user/recharge');
  await page
    .getByRole('radio', { name: text.hundred })
    .or(page.getByRole('button', { name: text.hundred }))
    .first()
    .click();
  await page.getByRole('button', { name: text.payHundred }).click();
  await expect(page).toHaveURL(/\/cashier\//);
  await page.getByRole('button', { name: text.cashierPay }).click();
  await expect(page).toHaveURL(/\/user\/wallet/);
  await expect(page.getByText(text.credited).first()).toBeVisible();

  // Now the wallet suffices: it is chosen, and the codes appear where the payment was.
  await page.goto(goods);
  await page.getByRole('button', { name: text.buy }).click();
  await expect(page).toHaveURL(/\/order\/detail\//);
  await page.getByRole('button', { name: text.payOrder }).click();
  await expect(page.getByRole('heading', { name: text.finished })).toBeFocused();
  await expect(page.getByRole('button', { name: text.copyCode }).first()).toBeVisible();

  await page.goto('/order');
  const bought = `
      - listitem:
        - article "${text.genshin}":
          - link "${text.boughtTwice}"
          - 'button "${text.again}"'
          - 'link "${text.viewCodes}"'`;
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "${text.orders}" [level=1]
    - tablist "${text.orderStatus}":
      - tab "${text.allOrders}" [selected]
    - search "${text.searchOrders}":
      - searchbox "${text.searchOrders}"
    - list "${text.orderList}":${bought}${bought}
  `);

  await page.goto('/user/log');
  for (const amount of text.inLog) await expect(page.getByText(amount).first()).toBeVisible();
  await page.goto('/user/wallet');
  await expect(page.getByText(text.left).first()).toBeVisible();

  // Only now the coupon.
  await page.goto('/home');
  await page.getByRole('button', { name: text.later }).click();

  await page.goto('/user');
  await page.getByRole('button', { name: text.signOut }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: text.confirmSignOut })
    .click();
  await expect(page).toHaveURL('/home');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
}

for (const { language, currency, phone } of [
  { language: 'zh-CN', currency: 'CNY', phone: '13900000001' },
  { language: 'en', currency: 'USD', phone: '13900000002' },
] as const) {
  test(`a new shopper presses Buy once, signs in, pays and sees the code, then tops up, buys from the wallet and signs out, in ${language} with ${currency}`, async ({
    shop,
    openTab,
  }) => purchase(shop, openTab, language, phone));
}

test('the pay-success address of a cashier leads to the order, and a guest by way of the login dialog', async ({
  shop,
  demoToken,
  openTab,
}) => {
  const orderNo = await orderAllowing('reveal', shop, demoToken);
  const address = `/#/pages/order/pay-success?id=${orderNo}`;

  const { page: owner } = await openTab({ token: demoToken });
  await owner.goto(address);
  await expect(owner).toHaveURL(`/order/detail/${orderNo}`);
  await expect(owner.getByText(orderNo).first()).toBeVisible();

  const { page: guest } = await openTab();
  await guest.goto(address);
  await expect(guest).toHaveURL('/home');
  await expect(guest.getByRole('dialog').getByRole('textbox', { name: words['zh-CN'].phone })).toBeVisible();
});

test('a guest is stopped at a guarded page and led there after the sign-in', async ({ shop, page }) => {
  await page.goto('/user/wallet');
  await expect(page).toHaveURL('/home');
  await signInByCode(page, shop, '13900000003', 'zh-CN');
  await expect(page).toHaveURL('/user/wallet');
});
