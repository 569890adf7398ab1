/** A new shopper buys a game card: from the first page to the code and the funds log. */
import type { Shop } from './shop';
import { type Language, orderAllowing, signInByCode, words } from './steps';
import { expect, type OpenTab, test } from './test';

const purchaseWords = {
  'zh-CN': {
    hundred: /^¥100$/,
    payHundred: '支付 ¥100.00',
    cashierPay: /^确认支付/,
    credited: '充值成功，¥100.00 已到账',
    payOrder: '付款 ¥5.76',
    finished: '已完成',
    reveal: '查看卡密',
    confirm: '验证并查看',
    copyCode: '复制卡密',
    inLog: ['+¥100.00', '-¥5.76'],
    left: '¥94.24',
    signOut: '退出登录',
    confirmSignOut: /^(退出登录|退出|确定|确认)/,
  },
  en: {
    hundred: /^\$100$/,
    payHundred: 'Pay $100.00',
    cashierPay: /^Pay now/,
    credited: '$100.00',
    payOrder: 'Pay $0.95',
    finished: 'Finished',
    reveal: 'View codes',
    confirm: 'Confirm and view',
    copyCode: 'Copy code',
    inLog: ['+$100.00', '-$0.95'],
    left: '$99.05',
    signOut: 'Sign out',
    confirmSignOut: /^(Sign out|Yes|Confirm)/,
  },
} as const;

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

  await page.getByRole('radio', { name: text.faceValue }).or(page.getByText(text.faceValue)).first().click();
  await page.getByRole('button', { name: text.buy }).click();
  await signInByCode(page, shop, phone, language);
  await expect(page).toHaveURL(/\/order\/detail\//);
  const order = page.url();

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

  await page.goto(order);
  await page.getByRole('button', { name: text.payOrder }).click();
  await expect(page.getByText(text.finished).first()).toBeVisible();

  // The second code to this phone: the button waits out the rest of the time between two.
  await page.getByRole('button', { name: text.reveal }).first().click();
  const check = page.getByRole('dialog');
  await check.getByRole('button', { name: text.sendCode }).click();
  await expect(check.getByRole('button', { name: /\d+/ })).toBeVisible();
  await check
    .getByRole('textbox')
    .first()
    .fill(await shop.codeFor(phone));
  await check.getByRole('button', { name: text.confirm }).click();
  await page.getByRole('button', { name: text.copyCode }).first().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.length).toBeGreaterThanOrEqual(8);
  await expect(page.getByText(copied, { exact: true }).first()).toBeVisible();

  await page.goto('/user/log');
  for (const amount of text.inLog) await expect(page.getByText(amount).first()).toBeVisible();
  await page.goto('/user/wallet');
  await expect(page.getByText(text.left).first()).toBeVisible();

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
  test(`a new shopper signs in by code, tops up, buys, reveals the code and signs out, in ${language} with ${currency}`, async ({
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
