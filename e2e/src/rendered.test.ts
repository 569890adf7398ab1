/** Public pages arrive rendered and become the shell's without a difference (docs/adr/0020-html-first.md). */
import { openStore, promote, type ReleaseManifest } from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { layoutShifts, recordLayoutShifts } from './audit';
import { desktop, phone } from './browser';
import { holdRequests } from './navigation';
import { openRoutes } from './routes';
import type { Shop } from './shop';
import { addStaff, callAsStaff } from './staff-steps';
import { demoToken, words } from './steps';
import { documentsRendered, expect, liveManifests, startOwnShop, test } from './test';

const writtenArticle = 'summer-sale';
const search = { 'zh-CN': '搜索游戏或商品', en: 'Search games or products' } as const;

// One shop for the file.
test.describe.configure({ mode: 'default' });

let shop: Shop;
test.beforeAll(async () => {
  shop = await startOwnShop({ SHOP_RENDER: 'on' });
  await writeArticle(shop);
  for (const language of ['zh-CN', 'en']) await documentsRendered(shop, publicPages, `language=${language}`);
});
test.afterAll(() => shop?.stop());

/** An article without a page of its own. */
async function writeArticle(shop: Shop): Promise<void> {
  await addStaff(shop, 'Ann');
  const both = (zh: string, en: string) => ({ 'zh-CN': zh, en });
  const text = '<h2>1</h2><p>Text</p>';
  const always = { published: true, starts_at: null, ends_at: null };
  const value = { title: both('夏日活动', 'Summer sale'), content: both(text, text), sort: 100, ...always };
  await callAsStaff(shop, 'articles/save', { key: writtenArticle, revision: null, value });
}

type Arrival = { arrived?: Element | null; title?: string };

/** Notes what stands in the document when it has been parsed. */
const noteArrival = (page: Page) =>
  page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      const page = window as Arrival;
      page.arrived ??= document.querySelector('#root > *');
      page.title ??= document.title;
    });
  });

/** Resolves when React has taken over, to whether it has kept what came with the document. */
async function hydrated(page: Page): Promise<boolean> {
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer')),
  );
  return page.evaluate(
    () =>
      new Promise((resolve) => requestIdleCallback(() => resolve((window as Arrival).arrived?.isConnected === true))),
  );
}

/** Pictures that were loaded twice, by the document's preload and again by the page, or not in the smallest format. */
const wastefulPictures = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const loaded = performance.getEntriesByType('resource').filter(({ name }) => /\/media\/.+\.webp$/.test(name));
    return (loaded as Array<PerformanceResourceTiming & { contentType: string }>)
      .filter(({ name, contentType }, at) => {
        const isAgain = loaded.findIndex((one) => one.name === name) !== at;
        return isAgain || contentType !== 'image/avif';
      })
      .map(({ name, contentType }) => `${name} ${contentType}`);
  });

/** Path and query, with sorted parameters. */
function addressOf(address: string): string {
  const { pathname, searchParams } = new URL(address, shop.url);
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}

const publicPages = [
  ...openRoutes,
  `/article/${writtenArticle}`,
  '/goods?recharge_type=1&letter=Y',
  '/search?keyword=ys',
];
const largestShift = 0.01;

for (const [language, viewport] of [
  ['zh-CN', phone],
  ['en', desktop],
] as const) {
  test(`public pages in ${language} are in the document, are kept under its title without a shift, load each picture once and as AVIF, and make no call that it has answered`, async ({
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
    const calls: string[] = [];
    page.on('request', (request) => {
      // HEAD asks for the server's time only.
      if (request.url().includes('/api/front/') && request.method() !== 'HEAD') calls.push(addressOf(request.url()));
    });
    const seen: Record<string, unknown> = {};
    for (const path of publicPages) {
      calls.length = 0;
      const response = await page.goto(path);
      const html = (await response?.text()) ?? '';
      const [, lang, rendered] = /<html lang="([^"]+)"[^>]* data-rendered="\S+ (\S+) light /.exec(html) ?? [];
      const [, data = '{}'] = /id="page-data">([^<]*)</.exec(html) ?? [];
      const answered = Object.keys(JSON.parse(data)).map(addressOf);
      const kept = await hydrated(page);
      const { sum, what } = await layoutShifts(page);
      const title = await page.evaluate(() => [(window as Arrival).title, document.title]);
      seen[path] = {
        lang,
        rendered,
        kept,
        renamed: title[0] === title[1] ? '' : title.join(' → '),
        shifts: sum > largestShift ? what : [],
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

test('a signed-in shopper’s page is kept, and becomes theirs after it', async ({ openTab }) => {
  const { page } = await openTab({ url: shop.url, language: 'en', token: await demoToken(shop) });
  await noteArrival(page);
  const asPerson = page.waitForRequest(
    (request) => request.url().includes('/api/front/goods/info') && !!request.headers().authorization,
  );
  await page.goto('/goods/1');
  await asPerson;
  expect(await hydrated(page)).toBe(true);
});

test('what is switched, typed, scrolled and followed before the scripts have arrived is not lost', async ({
  openTab,
}) => {
  const { page } = await openTab({ url: shop.url, language: 'en', viewport: desktop });
  const holdScripts = () => holdRequests(page, /\/r\/shell\/[^/]+\/main\.\w+\.js/);
  let arrive = await holdScripts();
  // Navigations wait for the document only: its scripts do not come.
  const open = (path: string) => page.goto(path, { waitUntil: 'commit' });
  await open('/goods?letter=Y');
  await page.getByRole('button', { name: 'Switch to dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page).toHaveURL('/goods?letter=Y');
  await page.setViewportSize(phone);
  await open('/home');
  await page.locator('a[href="/search"]').first().click();
  await expect(page).toHaveURL(/\/search$/);
  const box = page.getByRole('combobox', { name: search.en });
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

test('without scripts one can browse, search, read and switch theme and language, and is told what needs them', async ({
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
  // Its elements are text where a debugger has switched the scripts off.
  expect(await page.locator('noscript').first().textContent()).toContain('Signing in and ordering need JavaScript.');
  await page.goto('/article/privacy');
  await expect(page.locator('main article h2').first()).toBeVisible();
  await expect(root).toHaveAttribute('lang', 'en');
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await context.close();
});

// Last: it changes what is live.
test('a rendered page whose shell does not start is drawn and worked by the previous shell', async ({ openTab }) => {
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

test('pictures far below the window are fetched when they come near', async ({ openTab }) => {
  const { page } = await openTab({ url: shop.url, language: 'en', saveData: true });
  const fetched = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'image') fetched.add(new URL(request.url()).pathname);
  });
  await page.goto('/home');
  await hydrated(page);
  const far = page.locator('#root img').last();
  const address = (await far.getAttribute('src')) ?? '';
  // Nothing at all for a moment, while it chooses.
  const shows = () => far.evaluate((picture: HTMLImageElement) => picture.currentSrc);
  expect(fetched.size).toBeGreaterThan(0);
  expect([...fetched]).not.toContain(address);
  await far.scrollIntoViewIfNeeded();
  await expect.poll(shows).toBe(`${shop.url}${address}`);
  await expect.poll(() => far.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(1);
});
