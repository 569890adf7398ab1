/** What shoppers do, by the words they see. */
import type { Page } from 'playwright-core';
import type { Shop } from './shop';

export type Language = 'zh-CN' | 'en';

export const words = {
  'zh-CN': {
    searchLink: '搜索游戏',
    genshin: '原神',
    buy: '立即购买',
    phone: '手机号',
    sendCode: '获取验证码',
    code: '验证码',
    signIn: '登录',
    later: '以后再说',
    faceValue: /60 创世结晶/,
    symbol: '¥',
    orders: '我的订单',
    games: '游戏',
    me: '我的',
    tryAgain: '重试',
    pageFailed: '这个页面没能打开',
    greeting: /[凌晨上午中下晚]好，/,
  },
  en: {
    searchLink: 'Search games',
    genshin: 'Genshin Impact',
    buy: 'Buy now',
    phone: 'Phone number',
    sendCode: 'Send code',
    code: 'Verification code',
    signIn: 'Sign in',
    later: 'Later',
    faceValue: /^60 /,
    symbol: '$',
    orders: 'My orders',
    games: 'Games',
    me: 'Me',
    tryAgain: 'Try again',
    pageFailed: 'This page could not be opened',
    greeting: /^Good /,
  },
} as const;

/** Signs in by a code from the development outbox; the login dialog is open. Closes the coupon prompt if it comes. */
export async function signInByCode(page: Page, shop: Shop, phone: string, language: Language): Promise<void> {
  const text = words[language];
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: text.phone }).fill(phone);
  await dialog.getByRole('button', { name: text.sendCode }).click();
  await dialog.getByRole('button', { name: /\d+/ }).waitFor();
  await dialog.getByRole('textbox', { name: text.code }).fill(await shop.codeFor(phone));
  await dialog.getByRole('button', { name: text.signIn, exact: true }).click();
  await dialog.getByRole('textbox', { name: text.phone }).waitFor({ state: 'detached' });
}

/** A token of the demo account, as a signed-in visitor keeps it. */
export async function demoToken(shop: Pick<Shop, 'url'>): Promise<string> {
  const answer = await fetch(`${shop.url}/api/front/app/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '13800000000', password: 'demo1234', login_type: 'password', verify: '' }),
  });
  const { data } = (await answer.json()) as { data: { token_type: string; access_token: string } };
  return `${data.token_type} ${data.access_token}`;
}

/** Makes the tab a signed-in one before its first page; the coupon prompt stays away. */
export async function beSignedIn(page: Page, token: string): Promise<void> {
  await page.addInitScript((kept) => localStorage.setItem('token', kept), token);
  await page.route('**/api/front/coupon/check', (route) =>
    route.fulfill({
      contentType: 'application/json',
      body: JSON.stringify({ code: 200, message: 'OK', data: null, request_id: 'e2e' }),
    }),
  );
}

/** The number of an order of that shopper that has been delivered. */
export async function firstOrder(shop: Pick<Shop, 'url'>, token: string): Promise<string> {
  const answer = await fetch(`${shop.url}/api/front/order/list?tab=finished`, { headers: { authorization: token } });
  const { data } = (await answer.json()) as { data: { list: Array<{ order_no: string }> } };
  const [order] = data.list;
  if (!order) throw new Error('the shopper has no finished order');
  return order.order_no;
}
