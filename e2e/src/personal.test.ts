/** Pages behind the guard arrive rendered with the person's data, for this person alone (docs/adr/0058-personal-pages.md). */
import type { Page } from '@playwright/test';
import { layoutShifts, recordLayoutShifts } from './audit';
import { desktop, phone } from './browser';
import { holdRequests } from './navigation';
import type { Shop } from './shop';
import { orderAllowing, placeOrder, register, signInWithToken, tokenOfNewShopper, topUp } from './steps';
import { documentsRendered, expect, startOwnShop, test } from './test';

// One shop for the file.
test.describe.configure({ mode: 'default' });

let shop: Shop;
test.beforeAll(async () => {
  shop = await startOwnShop({ SHOP_RENDER: 'on' });
});
test.afterAll(() => shop?.stop());

const demo = { phone: '13800000000', password: 'demo1234' };

/** Signs the browser in by the call, which gives it its cookie, and returns the token. */
async function signIn(page: Page, { phone, password } = demo): Promise<string> {
  const data = { phone, password, login_type: 'password', verify: '' };
  const response = await page.context().request.post(`${shop.url}/api/front/app/login`, { data });
  const { token_type, access_token } = (await response.json()).data;
  return `${token_type} ${access_token}`;
}

/** The document of an address as this browser is sent it, once what renders it has started. */
async function personalDocument(page: Page, path: string): Promise<string> {
  let html = '';
  await expect(async () => {
    html = await (await page.context().request.get(shop.url + path, { headers: { accept: 'text/html' } })).text();
    expect(html).toContain(' data-person="');
  }).toPass();
  return html;
}

/** Notes what came with each document, for `isKept`. */
function keepFirstElement(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      const own = window as { arrived?: Element | null };
      own.arrived ??= document.querySelector('#root > *');
    });
  });
}

/** Whether React has kept what came with the document. */
async function isKept(page: Page): Promise<boolean> {
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer')),
  );
  return page.evaluate(
    () =>
      new Promise((resolve) =>
        requestIdleCallback(() => resolve((window as { arrived?: Element | null }).arrived?.isConnected === true)),
      ),
  );
}

test('a press on the account button, whose code comes later than the page’s, is answered when that is there', async ({
  openTab,
}) => {
  const { page } = await openTab({ url: shop.url, language: 'en', viewport: desktop });
  await signInWithToken(page, shop, await signIn(page));
  await personalDocument(page, '/goods/1');
  const arrive = await holdRequests(page, /\/r\/shell\/.*\.js$/, 'shell-profile__avatar');
  await page.goto('/goods/1', { waitUntil: 'commit' });
  const plus = page.getByRole('button', { name: 'Increase Quantity' });
  const account = page.getByRole('button', { name: 'My account' });
  await plus.click({ noWaitAfter: true });
  await expect(page.getByRole('spinbutton')).toHaveValue('2');
  await account.click({ noWaitAfter: true });
  await expect(account).toHaveAttribute('data-held', '');
  await plus.click();
  await expect(page.getByRole('spinbutton')).toHaveValue('2');
  arrive();
  await expect(page.getByRole('link', { name: 'Orders' }).filter({ visible: true }).first()).toBeVisible();
  await expect(account).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('spinbutton')).toHaveValue('3');
});

test('a product at 768 px, drawn for the person, does not move', async ({ openTab }) => {
  const { page } = await openTab({ url: shop.url, viewport: { width: 768, height: 1024 }, saveData: true });
  await signInWithToken(page, shop, await signIn(page));
  await recordLayoutShifts(page);
  await personalDocument(page, '/goods/1');
  await page.goto('/goods/1');
  await expect(page.locator('.catalog-breakdown dl > div')).toHaveCount(3);
  await expect(page.locator('.catalog-breakdown[aria-busy="false"]')).toBeVisible();
  const { sum, what } = await layoutShifts(page);
  expect(sum > 0.01 ? what : []).toEqual([]);
});

for (const viewport of [phone, desktop]) {
  test(`codes that are paid from the wallet take a place that was kept for them at ${viewport.width} px`, async ({
    openTab,
  }) => {
    const { page } = await openTab({ url: shop.url, viewport });
    const token = await tokenOfNewShopper(shop, `139000000${viewport === phone ? 75 : 76}`);
    await topUp(shop, token);
    await signInWithToken(page, shop, token);
    await recordLayoutShifts(page);
    await page.goto(`/order/detail/${await placeOrder(shop, token)}`);
    // By a script: what moves within half a second of a real press is not counted.
    const pay = page.getByRole('button', { name: '付款 ¥5.76' });
    await expect(pay).toBeEnabled();
    const before = await layoutShifts(page);
    await pay.evaluate((button: HTMLButtonElement) => button.click());
    await expect(page.getByRole('button', { name: '复制卡密' })).toBeVisible();
    // What lay behind the bar to pay counts, too: 0.013 on a phone.
    const { sum, what } = await layoutShifts(page);
    expect(sum - before.sum > 0.02 ? what : []).toEqual([]);
  });
}

for (const [language, viewport] of [
  ['zh-CN', phone],
  ['en', desktop],
] as const) {
  test(`personal pages in ${language} are in the document with the person’s data, are kept without a shift, and make no call again`, async ({
    openTab,
  }) => {
    const { page } = await openTab({ url: shop.url, language, viewport, saveData: true });
    const token = await signIn(page);
    await signInWithToken(page, shop, token);
    await keepFirstElement(page);
    await recordLayoutShifts(page);
    const order = await orderAllowing('reveal', shop, token);
    const pages: Record<string, string> = {
      '/user': '****0000',
      '/user/wallet': '<time ',
      '/user/coupon': 'class="account-coupons"',
      '/user/log': '<time ',
      '/order': 'href="/order/detail/',
      '/order?tab=finished': 'href="/order/detail/',
      [`/order/detail/${order}`]: order,
      [`/order/detail/${await placeOrder(shop, token)}`]: 'orders-methods__item',
      '/goods/1': 'catalog-hero',
      // Open pages have the person in the header.
      '/home': 'shell-profile__avatar',
      '/goods': 'shell-profile__avatar',
      '/search': 'shell-profile__avatar',
      '/article/privacy': 'shell-profile__avatar',
    };
    // What everybody gets is drawn first: the shell's part of it has no person.
    await documentsRendered(shop, ['/home'], `language=${language}`);
    for (const path of Object.keys(pages)) await personalDocument(page, path);
    const calls: string[] = [];
    page.on('request', (request) => {
      // HEAD asks for the server's time only.
      if (request.url().includes('/api/front/') && request.method() !== 'HEAD')
        calls.push(request.url().replace(shop.url, ''));
    });
    const seen: Record<string, unknown> = {};
    for (const [path, text] of Object.entries(pages)) {
      calls.length = 0;
      const response = await page.goto(path);
      const html = (await response?.text()) ?? '';
      const [, data = '{}'] = /id="page-data">([^<]*)</.exec(html) ?? [];
      const answered = Object.keys(JSON.parse(data));
      const kept = await isKept(page);
      const { sum, what } = await layoutShifts(page);
      seen[path] = {
        isPersonal: html.includes(`data-person="${token.split(' ')[1]?.slice(0, 8)}"`),
        cache: (await response?.allHeaders())?.['cache-control'],
        shows: html.includes(text),
        showsCodes: /card_no|card_pwd/.test(html),
        kept,
        shifts: sum > 0.01 ? what : [],
        again: calls.filter((call) => answered.includes(call)),
      };
    }
    const expected = {
      isPersonal: true,
      cache: 'private, no-store',
      shows: true,
      showsCodes: false,
      kept: true,
      shifts: [],
      again: [],
    };
    expect(seen).toEqual(Object.fromEntries(Object.keys(pages).map((path) => [path, expected])));
  });
}

test('an answer that the document lacks, and that comes before the scripts have taken the document over, does not redraw it', async ({
  openTab,
}) => {
  const { page } = await openTab({ url: shop.url, saveData: true });
  await signInWithToken(page, shop, await signIn(page));
  await keepFirstElement(page);
  const html = await personalDocument(page, '/user/recharge');
  expect(html).toContain('data-late');
  expect(html).not.toContain('/api/front/recharge');
  const answered = page
    .waitForResponse((response) => response.url().includes('/recharge/options'))
    .then((response) => response.finished());
  // The shell waits for its style sheet.
  await page.route('**/r/shell/**/*.css', async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto('/user/recharge');
  expect(await isKept(page)).toBe(true);
  await expect(page.getByRole('radio').first()).toBeVisible();
});

test('an order that is paid at the cashier is kept as its document shows it on the way back by the browser', async ({
  openTab,
}) => {
  const { page } = await openTab({ url: shop.url, viewport: phone, saveData: true });
  const token = await signIn(page);
  await signInWithToken(page, shop, token);
  await keepFirstElement(page);
  await recordLayoutShifts(page);
  const order = `/order/detail/${await placeOrder(shop, token)}`;
  await page.goto(order);
  await page.getByRole('radio', { name: /收银台/ }).click();
  await page.getByRole('button', { name: /^付款/ }).click();
  await expect(page).toHaveURL(/\/cashier\//);
  // As in a provider's own app: the cashier's page does not lead back.
  await page.context().request.post(page.url(), { form: { action: 'pay' }, maxRedirects: 0 });
  await expect.poll(() => personalDocument(page, order)).toContain('查看卡密');
  await page.goBack();
  await expect(page).toHaveURL(order);
  expect(await isKept(page)).toBe(true);
  await expect(page.getByRole('button', { name: '查看卡密' })).toBeVisible();
  const { sum, what } = await layoutShifts(page);
  expect(sum > 0.01 ? what : []).toEqual([]);
});

test('a browser is sent the pages of its own person, in turn and at once, and none after signing out', async ({
  openTab,
}) => {
  await register(shop, '13900000071', 'password-71');
  const [one, other] = [await openTab({ url: shop.url }), await openTab({ url: shop.url })];
  const token = await signIn(one.page);
  await signIn(other.page, { phone: '13900000071', password: 'password-71' });
  // Their phone numbers.
  const own = new Map([
    [one.page, demo.phone],
    [other.page, '13900000071'],
  ]);
  const check = async (page: Page) => {
    const html = await personalDocument(page, '/user');
    for (const [person, number] of own) {
      if (person === page) expect(html).toContain(number);
      else expect(html).not.toContain(number);
    }
  };
  for (const page of [one.page, other.page, one.page]) await check(page);
  await Promise.all([one.page, other.page, one.page, other.page].map(check));

  const { request } = one.page.context();
  await request.post(`${shop.url}/api/front/app/logout`, { headers: { authorization: token } });
  const after = await request.get(`${shop.url}/user`, { headers: { accept: 'text/html' } });
  expect(await after.text()).not.toContain('data-person');
});

test('a page of another session than the browser’s is not shown, not even before the scripts have run', async ({
  openTab,
}) => {
  const { page } = await openTab({ url: shop.url, expectedErrors: /ERR_FAILED .*\/r\/shell\// });
  await signIn(page);
  await personalDocument(page, '/user/wallet');
  // The storage holds no session: it was emptied, or another browser’s cookies were copied.
  await page.route('**/r/shell/**', (route) => route.abort());
  await page.goto('/user/wallet', { waitUntil: 'commit' });
  await page.locator('#root').waitFor({ state: 'attached' });
  await expect(page.locator('#root')).toBeHidden();
  await page.unroute('**/r/shell/**');
  await page.goto('/user/wallet');
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByRole('dialog')).toBeVisible();
});

/** What guests are sent behind the guard, once it is rendered. */
async function guestDocument(path: string, language: string): Promise<{ html: string; headers: Headers }> {
  const open = () => fetch(shop.url + path, { headers: { accept: 'text/html', cookie: `language=${language}` } });
  let html = '';
  let response = await open();
  await expect(async () => {
    response = await open();
    html = await response.text();
    expect(html).toContain(' role="dialog"');
  }).toPass();
  return { html, headers: response.headers };
}

for (const [language, viewport, names] of [
  ['zh-CN', phone, { title: '登录', phone: '手机号', byPassword: '密码登录', password: '密码' }],
  ['en', desktop, { title: 'Sign in', phone: 'Phone number', byPassword: 'Password', password: 'Password' }],
] as const) {
  test(`a guest’s address behind the guard arrives with the dialog to sign in, in ${language}, which works on with what was typed before the scripts`, async ({
    openTab,
  }) => {
    const { html, headers } = await guestDocument('/order?tab=finished', language);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(html).toContain('<meta name="robots" content="noindex">');
    // It is everybody's: of every address behind the guard, and of every guest.
    expect((await guestDocument('/user', language)).html).toBe(html);

    const { page } = await openTab({ url: shop.url, language, viewport, saveData: true });
    await recordLayoutShifts(page);
    let letScriptsCome = () => {};
    const mayCome = new Promise<void>((resolve) => {
      letScriptsCome = resolve;
    });
    await page.route(/\/r\/shell\/.*\.js$/, async (route) => {
      await mayCome;
      await route.continue();
    });
    await page.goto('/order?tab=finished', { waitUntil: 'commit' });
    const dialog = page.getByRole('dialog', { name: names.title });
    await expect(dialog).toBeVisible();
    expect(await dialog.evaluate((element) => getComputedStyle(element.parentElement as Element).position)).toBe(
      'fixed',
    );
    await dialog.getByLabel(names.phone).fill(demo.phone);
    await page.evaluate(() => {
      (window as { arrived?: Element | null }).arrived = document.querySelector('[role=dialog]');
    });
    letScriptsCome();

    await expect(page).toHaveURL(/\/home$/);
    // React has taken the dialog over: what moves before it does, moves without a press.
    await page.waitForFunction(() => {
      const { arrived } = window as { arrived?: Element | null };
      return Object.keys(arrived ?? {}).some((key) => key.startsWith('__reactProps'));
    });
    const { sum, what } = await layoutShifts(page);
    expect(sum > 0.01 ? what : []).toEqual([]);
    await dialog.getByRole('tab', { name: names.byPassword }).click();
    await expect(dialog.getByRole('textbox', { name: names.password })).toBeVisible();
    expect(await page.evaluate(() => (window as { arrived?: Element | null }).arrived?.isConnected)).toBe(true);
    expect(await page.locator('#main').evaluate((main) => main.closest('[inert]') !== null)).toBe(true);
    await dialog.getByRole('textbox', { name: names.password }).fill(demo.password);
    await dialog.getByRole('button', { name: names.title }).click();
    await expect(page).toHaveURL(/\/order\?tab=finished$/);
    // The slides of the carousel are inert by themselves.
    await expect(page.locator('header[inert], main[inert], :has(> main)[inert]')).toHaveCount(0);
  });
}
