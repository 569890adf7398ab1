/**
 * Documents arrive rendered, and pages behind the guard contain the data of this shopper only. React hydrates them without a
 * difference (docs/adr/0007-server-side-rendering.md). Stored preferences are tested in platform/pages/src/boot.
 */
import { openStore, promote, type ReleaseManifest } from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { contentShown, layoutShifts, recordLayoutShifts } from './audit';
import { desktop, phone } from './browser';
import { holdRequests } from './navigation';
import { openRoutes } from './routes';
import type { Shop } from './shop';
import { addStaff, callAsStaff } from './staff-steps';
import { orderAllowing, placeOrder, register, signInWithToken, tokenOfNewShopper, topUp, words } from './steps';
import { documentsRendered, expect, liveManifests, startOwnShop, test } from './test';

const writtenArticle = 'summer-sale';
const publicPages = [
  ...openRoutes,
  `/article/${writtenArticle}`,
  '/goods?recharge_type=1&letter=Y',
  '/search?keyword=ys',
];
const demo = { phone: '13800000000', password: 'demo1234' };

// One shop for the file.
test.describe.configure({ mode: 'default' });

let shop: Shop;
test.beforeAll(async () => {
  shop = await startOwnShop({ SHOP_RENDER: 'on' });
  await writeArticle(shop);
  for (const language of ['zh-CN', 'en']) await documentsRendered(shop, publicPages, `language=${language}`);
});
test.afterAll(() => shop?.stop());

/** Creates an article without a separate page. */
async function writeArticle(shop: Shop): Promise<void> {
  await addStaff(shop, 'Ann');
  const both = (zh: string, en: string) => ({ 'zh-CN': zh, en });
  const text = '<h2>1</h2><p>Text</p>';
  const always = { published: true, starts_at: null, ends_at: null };
  const value = { title: both('夏日活动', 'Summer sale'), content: both(text, text), sort: 100, ...always };
  await callAsStaff(shop, 'articles/save', { key: writtenArticle, revision: null, value });
}

/** Signs the browser in by the call, which sets its cookie, and returns the token. */
async function signIn(page: Page, { phone, password } = demo): Promise<string> {
  const data = { phone, password, login_type: 'password', verify: '' };
  const response = await page.context().request.post(`${shop.url}/api/front/app/login`, { data });
  const { token_type, access_token } = (await response.json()).data;
  return `${token_type} ${access_token}`;
}

/** Resolves to the document that this browser receives for an address, once its renderer has started. */
async function personalDocument(page: Page, path: string): Promise<string> {
  let html = '';
  await expect(async () => {
    html = await (await page.context().request.get(shop.url + path, { headers: { accept: 'text/html' } })).text();
    expect(html).toContain(' data-user="');
  }).toPass();
  return html;
}

type Arrival = { arrived?: Element | null; title?: string };

/** Records the content of the document when it has been parsed. */
const noteArrival = (page: Page) =>
  page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      const page = window as Arrival;
      page.arrived ??= document.querySelector('#root > *');
      page.title ??= document.title;
    });
  });

/** Resolves when React has hydrated the document, to whether its server-rendered elements are still there. */
async function hydrated(page: Page): Promise<boolean> {
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer')),
  );
  return page.evaluate(
    () =>
      new Promise((resolve) => requestIdleCallback(() => resolve((window as Arrival).arrived?.isConnected === true))),
  );
}

/** Path and query, with sorted parameters. */
function addressOf(address: string): string {
  const { pathname, searchParams } = new URL(address, shop.url);
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}

/** Elements that moved, if the shift is more than a shopper notices. */
async function noticeableShifts(page: Page): Promise<string[]> {
  const { sum, what } = await layoutShifts(page);
  return sum > 0.01 ? what : [];
}

/** Addresses of calls since the last `clear`; HEAD only asks for the server's time. */
function recordCalls(page: Page): { calls: string[]; clear(): void } {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/front/') && request.method() !== 'HEAD') calls.push(addressOf(request.url()));
  });
  return { calls, clear: () => calls.splice(0) };
}

/** Calls whose responses the document contains. */
const callsAnsweredIn = (html: string): string[] =>
  Object.keys(JSON.parse(/id="page-data">([^<]*)</.exec(html)?.[1] ?? '{}')).map(addressOf);

/** Pictures that were loaded twice, by the document's preload and again by the page, or not in the smallest format. */
const wastefulPictures = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const loaded = performance.getEntriesByType('resource').filter(({ name }) => /\/media\/.+\.webp$/.test(name));
    return (loaded as Array<PerformanceResourceTiming & { contentType: string }>)
      .filter(({ name, contentType }, at) => {
        const isAgain = loaded.findIndex((picture) => picture.name === name) !== at;
        return isAgain || contentType !== 'image/avif';
      })
      .map(({ name, contentType }) => `${name} ${contentType}`);
  });

for (const [language, viewport] of [
  ['zh-CN', phone],
  ['en', desktop],
] as const) {
  test(`public pages in ${language} are in the document, hydrate without a shift, load each picture once and as AVIF, and repeat no call of the document`, async ({
    openTab,
  }) => {
    const { page } = await openTab({
      url: shop.url,
      language,
      viewport,
      saveData: true,
      expectedErrors: /status of 404 .*\/404$/,
    });
    await noteArrival(page);
    await recordLayoutShifts(page);
    const { calls, clear } = recordCalls(page);
    const seen: Record<string, unknown> = {};
    for (const path of publicPages) {
      clear();
      const response = await page.goto(path);
      const html = (await response?.text()) ?? '';
      const [, lang, rendered] = /<html lang="([^"]+)"[^>]* data-rendered="\S+ (\S+) light /.exec(html) ?? [];
      const answered = callsAnsweredIn(html);
      const kept = await hydrated(page);
      const title = await page.evaluate(() => [(window as Arrival).title, document.title]);
      seen[path] = {
        lang,
        rendered,
        kept,
        renamed: title[0] === title[1] ? '' : title.join(' → '),
        shifts: await noticeableShifts(page),
        wasteful: await wastefulPictures(page),
        again: calls.filter((call, at) => answered.includes(call) || calls.indexOf(call) !== at),
      };
    }
    const expected = {
      lang: language,
      rendered: language,
      kept: true,
      renamed: '',
      shifts: [],
      wasteful: [],
      again: [],
    };
    expect(seen).toEqual(Object.fromEntries(publicPages.map((path) => [path, expected])));
  });
}

for (const [language, viewport] of [
  ['zh-CN', phone],
  ['en', desktop],
] as const) {
  test(`personal pages in ${language} are in the document with the shopper’s data, hydrate without a shift, and repeat no call`, async ({
    openTab,
  }) => {
    const { page } = await openTab({ url: shop.url, language, viewport, saveData: true });
    const token = await signIn(page);
    await signInWithToken(page, shop, token);
    await noteArrival(page);
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
      // Public pages show the shopper in the header.
      '/home': 'shell-profile__avatar',
      '/goods': 'shell-profile__avatar',
      '/search': 'shell-profile__avatar',
      '/article/privacy': 'shell-profile__avatar',
    };
    // The shared part is rendered first: the shell's part of it has no shopper.
    await documentsRendered(shop, ['/home'], `language=${language}`);
    for (const path of Object.keys(pages)) await personalDocument(page, path);
    const { calls, clear } = recordCalls(page);
    const seen: Record<string, unknown> = {};
    for (const [path, text] of Object.entries(pages)) {
      clear();
      const response = await page.goto(path);
      const html = (await response?.text()) ?? '';
      const answered = callsAnsweredIn(html);
      const kept = await hydrated(page);
      seen[path] = {
        isPersonal: html.includes(`data-user="${token.split(' ')[1]?.slice(0, 8)}"`),
        cache: (await response?.allHeaders())?.['cache-control'],
        shows: html.includes(text),
        showsCodes: /card_no|card_pwd/.test(html),
        kept,
        shifts: await noticeableShifts(page),
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

test('codes that are paid from the wallet appear in their reserved space', async ({ openTab }) => {
  const { page } = await openTab({ url: shop.url, viewport: phone });
  const token = await tokenOfNewShopper(shop, '13900000075');
  await topUp(shop, token);
  await signInWithToken(page, shop, token);
  await recordLayoutShifts(page);
  await page.goto(`/order/detail/${await placeOrder(shop, token)}`);
  // A script clicks, because shifts within half a second of a real click do not count.
  const pay = page.getByRole('button', { name: '付款 ¥5.76' });
  await expect(pay).toBeEnabled();
  const before = await layoutShifts(page);
  await pay.evaluate((button: HTMLButtonElement) => button.click());
  await expect(page.getByRole('button', { name: '复制卡密' })).toBeVisible();
  // Elements behind the payment bar count, too: 0.013 on a phone.
  const { sum, what } = await layoutShifts(page);
  expect(sum - before.sum > 0.02 ? what : []).toEqual([]);
});

test('a response that the document lacks, and that arrives before hydration, does not replace the document', async ({
  openTab,
}) => {
  const { page } = await openTab({ url: shop.url, saveData: true });
  await signInWithToken(page, shop, await signIn(page));
  await noteArrival(page);
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
  expect(await hydrated(page)).toBe(true);
  await expect(page.getByRole('radio').first()).toBeVisible();
});

test('browsers receive only pages of their own users, in turn and at once, and none after signing out', async ({
  openTab,
}) => {
  await register(shop, '13900000071', 'password-71');
  const [first, second] = [await openTab({ url: shop.url }), await openTab({ url: shop.url })];
  const token = await signIn(first.page);
  await signIn(second.page, { phone: '13900000071', password: 'password-71' });
  // Their phone numbers.
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
  await request.post(`${shop.url}/api/front/app/logout`, { headers: { authorization: token } });
  const after = await request.get(`${shop.url}/user`, { headers: { accept: 'text/html' } });
  expect(await after.text()).not.toContain('data-user');
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

/** The document that guests receive behind the guard, once it is rendered. */
async function guestDocument(path: string): Promise<{ html: string; headers: Headers }> {
  const open = () => fetch(shop.url + path, { headers: { accept: 'text/html', cookie: 'language=en' } });
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
  openTab,
}) => {
  const { html, headers } = await guestDocument('/order?tab=finished');
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(html).toContain('<meta name="robots" content="noindex">');
  // It is the same for every address behind the guard and every guest.
  expect((await guestDocument('/user')).html).toBe(html);

  const { page } = await openTab({ url: shop.url, language: 'en', viewport: desktop, saveData: true });
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

for (const { what, language, cookie, token, refuses, expected } of [
  { what: 'English and a Chinese cookie', language: 'en', cookie: 'zh-CN', expected: 'en' },
  {
    what: 'Chinese, an English cookie and a token that has ended',
    language: 'zh-CN',
    cookie: 'en',
    token: 'Bearer a',
    expected: 'zh-CN',
  },
  { what: 'rubbish and an English cookie', language: 'null', cookie: 'en', token: '令牌\n', expected: 'en' },
  { what: 'nothing, as storage is refused, and an English cookie', cookie: 'en', refuses: 'storage', expected: 'en' },
  { what: 'English, as cookies are refused', language: 'en', refuses: 'cookies', expected: 'en' },
] as Array<Record<'what' | 'expected', string> & Partial<Record<'language' | 'cookie' | 'token' | 'refuses', string>>>)
  test(`with ${what} stored, pages show their content in ${expected}, with its prices, and do not move`, async ({
    openTab,
  }) => {
    const { page, context } = await openTab({ url: shop.url, expectedErrors: /401/ });
    if (cookie) await context.addCookies([{ name: 'language', value: cookie, url: shop.url }]);
    await page.addInitScript(
      ({ refuses, items }) => {
        if (refuses === 'cookies') Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });
        const get = () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        };
        if (refuses === 'storage')
          for (const kind of ['localStorage', 'sessionStorage']) Object.defineProperty(window, kind, { get });
        else for (const [key, value] of Object.entries(items)) if (value) localStorage.setItem(key, value);
      },
      { refuses, items: { language, token } },
    );
    await recordLayoutShifts(page);
    const isEnglish = expected === 'en';
    for (const path of ['/home', '/goods/1']) {
      await page.goto(path);
      await contentShown(page);
      await expect(page).toHaveURL(path);
      await expect(page.locator('html')).toHaveAttribute('lang', expected);
      await expect(page.getByRole('main')).toContainText(isEnglish ? 'Genshin Impact' : '原神');
      await expect(page.getByRole('main')).toContainText(isEnglish ? '$' : '¥');
      await expect(page.getByRole('main')).not.toContainText(isEnglish ? '¥' : '$');
      expect((await layoutShifts(page)).sum).toBeLessThan(0.05);
    }
  });

test('switches, input, scrolling and links used before the scripts arrive are not lost', async ({ openTab }) => {
  const { page } = await openTab({ url: shop.url, language: 'en', viewport: desktop });
  const holdScripts = () => holdRequests(page, /\/r\/shell\/[^/]+\/main\.\w+\.js/);
  let arrive = await holdScripts();
  // Navigations wait for the document only, because its scripts do not arrive.
  const open = (path: string) => page.goto(path, { waitUntil: 'commit' });
  await open('/goods?letter=Y');
  await page.getByRole('button', { name: 'Switch to dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page).toHaveURL('/goods?letter=Y');
  await page.setViewportSize(phone);
  await open('/home');
  await page.locator('a[href="/search"]').first().click();
  await expect(page).toHaveURL(/\/search$/);
  const box = page.getByRole('combobox', { name: 'Search games or products' });
  await box.fill('genshin');
  arrive();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expect(box).toHaveValue('genshin');
  await expect(box).toBeFocused();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  arrive = await holdScripts();
  await open('/goods');
  const far = page.locator('main a[href^="/goods/"]').nth(6);
  await far.scrollIntoViewIfNeeded();
  const scrollY = () => page.evaluate(() => window.scrollY);
  const scrolled = await scrollY();
  expect(scrolled).toBeGreaterThan(200);
  arrive();
  await hydrated(page);
  expect(await scrollY()).toBe(scrolled);
});

test('without scripts, visitors browse, search, read and switch theme and language, and learn which features need scripts', async ({
  browser,
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

// This test is last: it changes the live releases.
test('a rendered page whose shell does not start is rendered and hydrated by the previous shell', async ({
  openTab,
}) => {
  const store = openStore({ dataDir: shop.dataDir });
  const { shell } = (await liveManifests(store)) as { shell: ReleaseManifest };
  const { version } = await publishVariant(store, shell, 'sound');
  await promote(store, { by: 'a test', name: 'shell', version, skip: ['browser'], why: 'a test' });
  const { page } = await openTab({ url: shop.url, language: 'en', expectedErrors: /./ });
  await page.route(`**/r/shell/${version}/*.js`, (route) => route.abort());
  const root = page.locator('html');
  await expect(async () => {
    const response = await page.goto('/goods/1');
    expect(await response?.text()).toContain(`data-rendered="${version} `);
  }).toPass();
  await expect(root).toHaveAttribute('data-rescued', shell.version);
  await page.getByRole('button', { name: words.en.buy }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});
