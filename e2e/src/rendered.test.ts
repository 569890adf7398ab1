/**
 * Documents arrive rendered, and pages behind the guard contain the data of this shopper only. React hydrates them without a
 * difference (docs/adr/0007-server-side-rendering.md). Stored preferences are tested in platform/pages/src/boot.
 */
import type { Page } from '@playwright/test';
import { noticeableShifts, recordLayoutShifts } from './audit';
import { desktop, phone } from './browser';
import { holdRequests } from './navigation';
import { type Arrival, demo, openEach, personalDocument, signIn, soundDocument } from './rendered-steps';
import { openRoutes } from './routes';
import type { Shop } from './shop';
import { addStaff, callAsStaff } from './staff-steps';
import { orderAllowing, placeOrder, register, signInWithToken } from './steps';
import { documentsRendered, expect, test } from './test';

const tabs = [
  { language: 'zh-CN', viewport: phone },
  { language: 'en', viewport: desktop },
] as const;
const writtenArticle = 'summer-sale';
const publicPages = [
  ...openRoutes,
  `/article/${writtenArticle}`,
  '/goods?recharge_type=1&letter=Y',
  '/search?keyword=ys',
];

test.beforeAll(async ({ shop }) => {
  await writeArticle(shop);
  for (const language of ['zh-CN', 'en']) await documentsRendered(shop, publicPages, `language=${language}`);
});

async function writeArticle(shop: Shop): Promise<void> {
  // A worker that starts after a failure adds another manager.
  await addStaff(shop, `Rita ${Date.now()}`);
  const both = (zh: string, en: string) => ({ 'zh-CN': zh, en });
  const text = '<h2>1</h2><p>Text</p>';
  const always = { published: true, starts_at: null, ends_at: null };
  const value = { title: both('夏日活动', 'Summer sale'), content: both(text, text), sort: 100, ...always };
  await callAsStaff(shop, 'articles/save', { key: writtenArticle, revision: null, value });
}

for (const [turn, { language, viewport }] of tabs.entries()) {
  test(`half of the public pages, in ${language}, are in the document, hydrate without a shift, load each picture once and repeat no call of the document`, async ({
    openTab,
  }) => {
    const { page } = await openTab({
      language,
      viewport,
      saveData: true,
      expectedErrors: /status of 404 .*\/404$/,
    });
    const pages = publicPages.filter((_, index) => index % 2 === turn);
    const seen = await openEach(page, pages, (html) => {
      const [, lang, rendered] = /<html lang="([^"]+)"[^>]* data-rendered="\S+ (\S+) light /.exec(html) ?? [];
      return { lang, rendered };
    });
    const expected = { ...soundDocument, lang: language, rendered: language };
    expect(seen).toEqual(Object.fromEntries(pages.map((path) => [path, expected])));
  });
}

for (const [turn, { language, viewport }] of tabs.entries()) {
  test(`half of the personal pages, in ${language}, are in the document with the shopper’s data, hydrate without a shift, and repeat no call`, async ({
    shop,
    openTab,
  }) => {
    const { page } = await openTab({ language, viewport, saveData: true });
    const token = await signIn(page);
    await signInWithToken(page, shop, token);
    const order = await orderAllowing('reveal', shop, token);
    const all: Record<string, string> = {
      '/user': '****0000',
      '/user/wallet': '<time ',
      '/user/coupon': 'class="account-coupons ui-stack"',
      '/user/log': '<time ',
      '/order': 'href="/order/detail/',
      '/order?tab=finished': 'href="/order/detail/',
      [`/order/detail/${order}`]: order,
      [`/order/detail/${await placeOrder(shop, token)}`]: 'orders-methods__item',
      '/goods/1': 'catalog-hero',
      // Public pages show the shopper in the header.
      '/home': 'shell-top-bar__account',
      '/goods': 'shell-top-bar__account',
      '/search': 'shell-top-bar__account',
      '/article/privacy': 'shell-top-bar__account',
    };
    const pages = Object.fromEntries(Object.entries(all).filter((_, index) => index % 2 === turn));
    // The shared part is rendered first: the shell's part of it has no shopper.
    await documentsRendered(shop, ['/home'], `language=${language}`);
    for (const path of Object.keys(pages)) await personalDocument(page, path);
    const seen = await openEach(page, Object.keys(pages), async (html, response, path) => ({
      isPersonal: html.includes(`data-user="${token.split(' ')[1]?.slice(0, 8)}"`),
      cache: (await response?.allHeaders())?.['cache-control'],
      shows: html.includes(pages[path] ?? ''),
      showsCodes: /card_no|card_pwd/.test(html),
    }));
    const cache = 'private, no-store, no-transform';
    const expected = { ...soundDocument, isPersonal: true, cache, shows: true, showsCodes: false };
    expect(seen).toEqual(Object.fromEntries(Object.keys(pages).map((path) => [path, expected])));
  });
}

test('browsers receive only pages of their own users, in turn and at once, and none after signing out', async ({
  shop,
  openTab,
}) => {
  await register(shop, '13900000071', 'password-71');
  const [first, second] = [await openTab(), await openTab()];
  const token = await signIn(first.page);
  await signIn(second.page, { phone: '13900000071', password: 'password-71' });
  const phones = new Map([
    [first.page, demo.phone],
    [second.page, '13900000071'],
  ]);
  const check = async (page: Page) => {
    const html = await personalDocument(page, '/user');
    for (const [user, number] of phones) {
      if (user === page) expect(html).toContain(number);
      else expect(html).not.toContain(number);
    }
  };
  for (const page of [first.page, second.page, first.page]) await check(page);
  await Promise.all([first.page, second.page, first.page, second.page].map(check));

  const { request } = first.page.context();
  await request.post('/api/front/app/logout', { headers: { authorization: token } });
  const after = await request.get('/user', { headers: { accept: 'text/html' } });
  expect(await after.text()).not.toContain('data-user');
});

test('a page of another session than the browser’s is not shown, not even before the scripts have run', async ({
  openTab,
}) => {
  const { page } = await openTab({ expectedErrors: /ERR_FAILED .*\/r\/shell\// });
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

async function guestDocument({ url }: Shop, path: string): Promise<{ html: string; headers: Headers }> {
  const open = () => fetch(url + path, { headers: { accept: 'text/html', cookie: 'language=en' } });
  let html = '';
  let response = await open();
  await expect(async () => {
    response = await open();
    html = await response.text();
    expect(html).toContain(' role="dialog"');
  }).toPass();
  return { html, headers: response.headers };
}

test('a guest’s address behind the guard arrives with the sign-in dialog, which keeps input from before the scripts', async ({
  shop,
  openTab,
}) => {
  const { html, headers } = await guestDocument(shop, '/order?tab=finished');
  expect(headers.get('cache-control')).toBe('no-cache, no-transform');
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect((await guestDocument(shop, '/user')).html).toBe(html);

  const { page } = await openTab({ language: 'en', viewport: desktop, saveData: true });
  await recordLayoutShifts(page);
  const sendScripts = await holdRequests(page, /\/r\/shell\/.*\.js$/);
  await page.goto('/order?tab=finished', { waitUntil: 'commit' });
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((element) => getComputedStyle(element.parentElement as Element).position)).toBe('fixed');
  await dialog.getByLabel('Phone number').fill(demo.phone);
  await page.evaluate(() => {
    (window as Arrival).arrived = document.querySelector('[role=dialog]');
  });
  sendScripts();

  await expect(page).toHaveURL(/\/home$/);
  // React has hydrated the dialog: shifts before hydration are not caused by a click.
  await page.waitForFunction(() => {
    const { arrived } = window as Arrival;
    return Object.keys(arrived ?? {}).some((key) => key.startsWith('__reactProps'));
  });
  expect(await noticeableShifts(page)).toEqual([]);
  await dialog.getByRole('tab', { name: 'Password' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Password' })).toBeVisible();
  expect(await page.evaluate(() => (window as Arrival).arrived?.isConnected)).toBe(true);
  expect(await page.locator('#main').evaluate((main) => main.closest('[inert]') !== null)).toBe(true);
  await dialog.getByRole('textbox', { name: 'Password' }).fill(demo.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/order\?tab=finished$/);
  // The slides of the carousel are inert by themselves.
  await expect(page.locator('header[inert], main[inert], :has(> main)[inert]')).toHaveCount(0);
});

test('without scripts, visitors browse, search, read and switch theme and language, and learn which features need scripts', async ({
  browser,
  shop,
}) => {
  const context = await browser.newContext({ baseURL: shop.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/search');
  await page.getByRole('combobox').fill('Steam');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?keyword=Steam$/);
  await page.getByRole('button', { name: '切换到深色' }).click();
  await page.getByRole('button', { name: 'Switch to English' }).click();
  await expect(page).toHaveURL(/\?(?=.*\blang=en\b).*\bkeyword=Steam\b/);
  const root = page.locator('html');
  await expect(root).toHaveAttribute('lang', 'en');
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Privacy policy' })).toBeVisible();
  const product = page.locator('main a[href^="/goods/"]').first();
  const address = await product.getAttribute('href');
  const name = (await product.locator('.catalog-card__name').innerText()).trim();
  expect(name).not.toBe('');
  await product.click();
  await expect(page).toHaveURL(`${shop.url}${address}`);
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  await expect(page.locator('main img').first()).toBeVisible();
  await page.getByRole('button', { name: 'Buy now' }).first().click();
  await expect(page).toHaveURL(`${shop.url}${address}`);
  // Its elements are text if a debugger has disabled the scripts.
  expect(await page.locator('noscript').first().textContent()).toContain('Signing in and ordering need JavaScript.');
  await page.goto('/article/privacy');
  await expect(page.locator('main article h2').first()).toBeVisible();
  await expect(root).toHaveAttribute('lang', 'en');
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await context.close();
});
