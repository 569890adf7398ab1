/** Steps of a shopper by the texts on screen, and the same by API for tests that only need the result. */
import type { Page } from 'playwright-core';
import { until } from '../../scripts/jest/until';
import type { Shop } from './shop';

type Language = 'zh-CN' | 'en';
/** All that the API's steps need of a shop. */
type Address = Pick<Shop, 'url'>;

export const words = {
  'zh-CN': {
    searchLink: '搜索游戏',
    genshin: '原神',
    buy: '立即购买',
    phone: '手机号',
    sendCode: '获取验证码',
    code: '验证码',
    faceValue: /60 创世结晶/,
    orders: '我的订单',
    games: '游戏',
    me: '个人中心',
    tryAgain: '重试',
    pageFailed: '这个页面没能打开',
  },
  en: {
    searchLink: 'Search games',
    genshin: 'Genshin Impact',
    buy: 'Buy now',
    faceValue: /^60 /,
    games: 'Games',
  },
} as const;

export const visibleButton = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).filter({ visible: true }).first();

/** Signs in with a code from the development outbox, whose last digit submits the form. Expects an open login dialog. */
export async function signInByCode(page: Page, shop: Shop, phone: string): Promise<void> {
  const text = words['zh-CN'];
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: text.phone }).fill(phone);
  await dialog.getByRole('button', { name: text.sendCode }).click();
  await dialog.getByRole('button', { name: /\d+ 秒/ }).waitFor();
  await dialog.getByRole('textbox', { name: text.code }).fill(await shop.codeFor(phone));
  await dialog.getByRole('textbox', { name: text.phone }).waitFor({ state: 'detached' });
}

/** Resolves to an authorization header value of the demo account. Its device is new, so it cannot pay from the wallet. */
export const demoToken = (shop: Address): Promise<string> =>
  tokenFrom(shop, 'login', { phone: '13800000000', password: 'demo1234', login_type: 'password', verify: '' });

async function tokenFrom(shop: Address, path: 'login' | 'register', body: object): Promise<string> {
  const token = await call<Record<'token_type' | 'access_token', string>>(shop, `/api/front/app/${path}`, '', body);
  return `${token.token_type} ${token.access_token}`;
}

/** Signs the tab in before its first page, as a shopper who has dismissed the waiting coupon. */
export async function signInWithToken(page: Page, shop: Address, token: string): Promise<void> {
  const coupon = await call<{ id: number } | null>(shop, '/api/front/coupon/getCoupon', token);
  await page.addInitScript(
    ([value, later]) => {
      localStorage.setItem('token', value);
      sessionStorage.setItem('coupon-later', later);
    },
    [token, String(coupon?.id)] as const,
  );
}

/** The number of an order of that shopper that currently allows the action. */
export async function orderAllowing(
  action: 'delete' | 'refund' | 'reveal',
  shop: Address,
  token: string,
): Promise<string> {
  type Order = { order_no: string; actions: Record<string, boolean> };
  const orders = await listOf<Order>(shop, '/api/front/order/list?limit=100', token);
  const order = orders.find(({ actions }) => actions[action]);
  if (!order) throw new Error(`no order of the shopper allows: ${action}`);
  return order.order_no;
}

/** Pages of an order, and the receipts of an order and of a top-up, of that shopper. */
export async function recordPages(shop: Address, token: string): Promise<string[]> {
  const [order, delivered] = [await orderAllowing('delete', shop, token), await orderAllowing('reveal', shop, token)];
  type TopUp = { recharge_no: string; paid_at: string | null };
  const topUps = await listOf<TopUp>(shop, '/api/front/recharge/list', token);
  const paid = topUps.find(({ paid_at }) => paid_at);
  return [`/order/detail/${order}`, `/order/receipt/${delivered}`, `/user/receipt/${paid?.recharge_no}`];
}

export async function placeOrder(shop: Address, token: string, id = 1, fields = {}): Promise<string> {
  const { specs } = await call<{ specs: Array<{ id: number }> }>(shop, `/api/front/goods/info?id=${id}`, token);
  const selection = { goods_id: id, spec_id: specs[0]?.id, quantity: 1, coupon: 'none' };
  const { price_version } = await call<{ price_version: string }>(shop, '/api/front/order/preview', token, selection);
  const { order_no } = await call<{ order_no: string }>(shop, '/api/front/order/create', token, {
    ...selection,
    fields,
    price_version,
  });
  return order_no;
}

export async function tokenOfNewShopper(shop: Shop, phone: string): Promise<string> {
  await call(shop, '/api/front/app/send_code', '', { phone });
  return tokenFrom(shop, 'login', { phone, login_type: 'verify', verify: await shop.codeFor(phone) });
}

export async function register(shop: Shop, phone: string, password: string): Promise<string> {
  await call(shop, '/api/front/app/send_code', '', { phone, scene: 'register' });
  return tokenFrom(shop, 'register', { phone, password, verify: await shop.codeFor(phone) });
}

/** Puts 100 of the language's currency into the wallet of that shopper. */
export async function topUp(shop: Address, token: string, language: Language = 'zh-CN'): Promise<void> {
  const body = { amount: '100.00', method: 'sandbox' };
  const { payment_no } = await call<{ payment_no: string }>(shop, '/api/front/recharge/create', token, body, language);
  await fetch(`${shop.url}/cashier/${payment_no}`, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay' }),
    redirect: 'manual',
  });
}

/** Calls the API: GET without a body, else POST. Throws the server's message if it refuses. */
export async function call<Data>(
  shop: Address,
  path: string,
  token: string,
  body?: unknown,
  language: Language = 'zh-CN',
): Promise<Data> {
  const answer = await fetch(`${shop.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      locale: language,
      ...(token ? { authorization: token } : {}),
      ...(body ? { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() } : {}),
    },
    body: body ? JSON.stringify(body) : undefined,
  });
  const { code, message, data } = (await answer.json()) as { code: number; message: string; data: Data };
  if (code !== 200) throw new Error(`${path}: ${code} ${message}`);
  return data;
}

/** The rows of the first page of a list. */
export const listOf = async <Row>(shop: Address, path: string, token: string): Promise<Row[]> =>
  (await call<{ list: Row[] }>(shop, path, token)).list;

/**
 * Resolves to the text that a click copies. The tests of a browser share one clipboard, so it is emptied first; it is filled
 * after the frame in which the click is marked.
 */
export async function textCopiedBy(page: Page, click: () => Promise<void>): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await click();
  // waitForFunction would take a promise for a result.
  return until('a copied text', () => page.evaluate(() => navigator.clipboard.readText()));
}
