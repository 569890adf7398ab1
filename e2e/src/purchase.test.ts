/** A new shopper buys a game card for real: from the first page to the code and the books (issue: the path). */
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openTab } from './browser';
import { type Shop, startShop } from './shop';
import { beSignedIn, demoToken, type Language, signInByCode, words } from './steps';

let shop: Shop;
let browser: Browser;
let purchases: Record<Language, Promise<void>>;

beforeAll(async () => {
  [shop, browser] = await Promise.all([startShop(), launchBrowser()]);
  // Side by side: a second code for the same phone has to wait for a minute, in both languages.
  purchases = { 'zh-CN': purchase('zh-CN', '13900000001'), en: purchase('en', '13900000002') };
  for (const one of Object.values(purchases)) one.catch(() => {});
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

const more = {
  'zh-CN': {
    wallet: '我的钱包',
    available: '可用余额',
    recharge: '充值',
    hundred: /^¥100$/,
    payHundred: '支付 ¥100.00',
    cashierPay: /^确认支付/,
    credited: '充值成功，¥100.00 已到账',
    payOrder: '付款 ¥5.76',
    finished: '已完成',
    reveal: '查看卡密',
    byCode: '短信验证码',
    confirm: '验证并查看',
    copyCode: '复制卡密',
    log: '资金明细',
    inLog: ['+¥100.00', '-¥5.76'],
    left: '¥94.24',
    settings: '设置',
    signOut: '退出登录',
    confirmSignOut: /^(退出登录|退出|确定|确认)/,
  },
  en: {
    wallet: 'My wallet',
    available: 'Available balance',
    recharge: 'Top up',
    hundred: /^\$100$/,
    payHundred: 'Pay $100.00',
    cashierPay: /^Pay now/,
    credited: '$100.00',
    payOrder: 'Pay $0.95',
    finished: 'Finished',
    reveal: 'View codes',
    byCode: 'Verification code',
    confirm: 'Confirm and view',
    copyCode: 'Copy code',
    log: 'Funds log',
    inLog: ['+$100.00', '-$0.95'],
    left: '$99.05',
    settings: 'Settings',
    signOut: 'Sign out',
    confirmSignOut: /^(Sign out|Yes|Confirm)/,
  },
} as const;

async function purchase(language: Language, phone: string): Promise<void> {
  const text = { ...words[language], ...more[language] };
  const { page, faults } = await openTab(browser, shop.url, { language });

  await page.goto('/');
  await page.waitForURL('**/home');
  await page
    .getByRole('navigation', { name: /主导航|Main/ })
    .getByRole('link', { name: text.games })
    .waitFor();

  await page.getByRole('link', { name: text.searchLink }).first().click();
  await page.getByRole('combobox').or(page.getByRole('searchbox')).first().fill('ys');
  await page.getByRole('option', { name: text.genshin, exact: true }).click();
  await page.waitForURL('**/goods/*');
  const product = page.url();

  await page.getByRole('radio', { name: text.faceValue }).or(page.getByText(text.faceValue)).first().click();
  await page.getByRole('button', { name: text.buy }).click();
  await signInByCode(page, shop, phone, language);
  await page.getByText(text.greeting).first().waitFor();
  await dismissCoupon(page, text.later);
  expect(page.url()).toBe(product);

  await page.goto('/user/recharge');
  await page
    .getByRole('radio', { name: text.hundred })
    .or(page.getByRole('button', { name: text.hundred }))
    .first()
    .click();
  await page.getByRole('button', { name: text.payHundred }).click();
  await page.waitForURL('**/cashier/**');
  await page.getByRole('button', { name: text.cashierPay }).click();
  await page.waitForURL('**/user/wallet');
  await page.getByText(text.credited).first().waitFor();

  await page.goto(product);
  await page.getByRole('button', { name: text.buy }).click();
  await page.waitForURL('**/order/detail/*');
  await page.getByRole('button', { name: text.payOrder }).click();
  await page.getByText(text.finished).first().waitFor();

  await page.getByRole('button', { name: text.reveal }).first().click();
  const check = page.getByRole('dialog');
  // A code was sent for the sign-in: the button counts down until the next one may be asked for.
  const send = check.getByRole('button', { name: text.sendCode });
  await waitAMinuteAfterTheLastCode(phone);
  await send.waitFor();
  await send.click();
  await check.getByRole('button', { name: /\d+/ }).waitFor();
  await check
    .getByRole('textbox')
    .first()
    .fill(await shop.codeFor(phone));
  await check.getByRole('button', { name: text.confirm }).click();
  await alone(async () => {
    await page.getByRole('button', { name: text.copyCode }).first().click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.length).toBeGreaterThanOrEqual(8);
    await page.getByText(copied, { exact: true }).first().waitFor();
  });

  await page.goto('/user/log');
  for (const amount of text.inLog) await page.getByText(amount).first().waitFor();
  await page.goto('/user/wallet');
  await page.getByText(text.left).first().waitFor();

  await page.goto('/user');
  await page.getByRole('button', { name: text.signOut }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: text.confirmSignOut })
    .click();
  await page.waitForURL('**/home');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  expect(faults).toEqual([]);
}

/** The clipboard is the machine's: one tab at a time. */
let clipboard: Promise<void> = Promise.resolve();
function alone(work: () => Promise<void>): Promise<void> {
  const turn = clipboard.then(work);
  clipboard = turn.catch(() => {});
  return turn;
}

async function dismissCoupon(page: Page, later: string): Promise<void> {
  const prompt = page.getByRole('button', { name: later });
  await prompt.waitFor();
  await prompt.click();
  await prompt.waitFor({ state: 'detached' });
}

async function waitAMinuteAfterTheLastCode(phone: string): Promise<void> {
  const answer = await fetch(`${shop.url}/dev/outbox.json?phone=${phone}`);
  const [newest] = (await answer.json()) as Array<{ at: string }>;
  const wait = Date.parse(newest?.at ?? '') + 61_000 - Date.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}

describe('a purchase, from the first page to the code', () => {
  it('works in Chinese, in CNY', () => purchases['zh-CN'], 240_000);
  it('works in English, in USD', () => purchases.en, 240_000);
});

describe('coming back from a cashier by the pay-success address', () => {
  it('leads to the order, and a guest by way of the login dialog', async () => {
    const token = await demoToken(shop);
    const answer = await fetch(`${shop.url}/api/front/order/list?tab=finished`, { headers: { authorization: token } });
    const { data } = (await answer.json()) as { data: { list: Array<{ order_no: string }> } };
    const orderNo = data.list[0]?.order_no ?? '';
    expect(orderNo).not.toBe('');
    const address = `/#/pages/order/pay-success?id=${orderNo}`;

    const owner = await openTab(browser, shop.url);
    await beSignedIn(owner.page, token);
    await owner.page.goto(address);
    await owner.page.waitForURL(`**/order/detail/${orderNo}`);
    await owner.page.getByText(orderNo).first().waitFor();
    expect(owner.faults).toEqual([]);

    const guest = await openTab(browser, shop.url);
    await guest.page.goto(address);
    await guest.page.waitForURL('**/home');
    await guest.page.getByRole('dialog').getByRole('textbox', { name: words['zh-CN'].phone }).waitFor();
  });

  it('stops a guest at a guarded page and leads there after the sign-in', async () => {
    const { page, faults } = await openTab(browser, shop.url);
    await page.goto('/user/wallet');
    await page.waitForURL('**/home');
    await signInByCode(page, shop, '13900000003', 'zh-CN');
    await page.waitForURL('**/user/wallet');
    expect(faults).toEqual([]);
  });
});
