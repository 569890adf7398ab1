/** Public pages arrive rendered and become the shell's without a difference (docs/adr/0020-html-first.md). */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openStore, promote, type ReleaseManifest, rollback } from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { layoutShifts, recordLayoutShifts } from './audit';
import { desktop, phone } from './browser';
import { isFullRun } from './full-run';
import { openRoutes } from './routes';
import { type Shop, startShop } from './shop';
import { addStaff, callAsStaff } from './staff-steps';
import { demoToken, words } from './steps';
import { expect, liveManifests, test } from './test';

const writtenArticle = 'summer-sale';
const search = { 'zh-CN': '搜索游戏或商品', en: 'Search games or products' } as const;

// One shop for the file.
test.describe.configure({ mode: 'default' });

let shop: Shop;
test.beforeAll(async () => {
  shop = await startShop({ template: process.env.E2E_TEMPLATE_DIR, env: { SHOP_RENDER: 'on' } });
  const written = writeArticle(shop);
  // Until the processes have started, documents carry skeletons.
  const isRendered = async (path: string) => {
    const response = await fetch(`${shop.url}${path}`, { headers: { accept: 'text/html' } });
    return (await response.text()).includes('data-rendered');
  };
  for (const path of openRoutes) await expect.poll(() => isRendered(path), { timeout: 60_000 }).toBe(true);
  await written;
});
test.afterAll(() => shop.stop());

test('a shop that does not start in time is ended, and so is its process', async () => {
  test.skip(!existsSync('/proc/self/environ'), 'without /proc nobody can say which processes run');
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'shop-late-'));
  await expect(startShop({ dataDir, startWithinMs: 1 })).rejects.toThrow('the shop did not start');
  const environments = readdirSync('/proc').map((process) => {
    try {
      return readFileSync(path.join('/proc', process, 'environ'), 'utf8');
    } catch {
      return '';
    }
  });
  expect(environments.filter((one) => one.includes(`DATA_DIR=${dataDir}\0`))).toEqual([]);
  rmSync(dataDir, { recursive: true });
});

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
      if (request.url().includes('/api/front/')) calls.push(addressOf(request.url()));
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

test('a document is the same for every visitor with one language and theme, whatever else they send', async ({
  shop,
}) => {
  const document = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${shop.url}${path}`, { headers: { accept: 'text/html', ...headers } });
    return { text: await response.text(), policy: response.headers.get('content-security-policy') };
  };
  for (const path of ['/home', '/goods/1', '/user']) {
    const chosen = 'language=en; theme=dark';
    const guest = await document(path, { cookie: chosen });
    const person = await document(path, {
      cookie: `token=Bearer%20abc; session=1; ${chosen}; visit_token=x; ops=y`,
      authorization: 'Bearer abc',
      'user-agent': 'another',
      'accept-language': 'de',
    });
    expect(person).toEqual(guest);
    expect(guest.text).toContain('data-theme="dark"');
  }
});

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

test('what is switched, typed, scrolled, followed and sent before the scripts have arrived is not lost', async ({
  openTab,
}) => {
  const { page } = await openTab({ url: shop.url, language: 'en', viewport: desktop });
  let arrive: () => void = () => {};
  let scripts = Promise.resolve();
  const holdScripts = () => {
    scripts = new Promise((resolve) => {
      arrive = resolve;
    });
  };
  holdScripts();
  await page.route(/\/r\/shell\/[^/]+\/main\.\w+\.js/, async (route) => {
    await scripts;
    await route.continue();
  });
  // Navigations wait for the document only: its scripts do not come.
  const open = (path: string) => page.goto(path, { waitUntil: 'commit' });
  await open('/goods?letter=Y');
  await page.getByRole('button', { name: 'Switch to dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page).toHaveURL('/goods?letter=Y');
  await page.setViewportSize(phone);
  await open('/home');
  const menu = page.getByRole('button', { name: 'Open menu' });
  const toLight = page.getByRole('button', { name: 'Switch to light' });
  await expect(toLight).toBeHidden();
  await menu.click();
  await toLight.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await menu.click();
  await page.getByRole('button', { name: 'Switch to dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.locator('a[href="/search"]').first().click();
  await expect(page).toHaveURL(/\/search$/);
  const box = page.getByRole('combobox', { name: search.en });
  await box.fill('genshin');
  arrive();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expect(box).toHaveValue('genshin');
  await expect(box).toBeFocused();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  holdScripts();
  await open('/goods');
  const far = page.locator('main a[href^="/goods/"]').nth(6);
  await far.scrollIntoViewIfNeeded();
  const scrollY = () => page.evaluate(() => window.scrollY);
  const scrolled = await scrollY();
  expect(scrolled).toBeGreaterThan(200);
  arrive();
  await hydrated(page);
  expect(await scrollY()).toBe(scrolled);

  holdScripts();
  await open('/goods/1');
  await page.getByRole('radio').nth(1).check({ force: true });
  await page.getByRole('button', { name: words.en.buy }).click();
  arrive();
  await expect(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible();
  await expect(page).toHaveURL('/goods/1');
  await expect(page.getByRole('radio').nth(1)).toBeChecked();
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
  await expect(page).toHaveURL(/\?keyword=Steam&/);
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

// The last two change what is live.
const switches = isFullRun ? 100 : 20;
test(`HTML and release map of each document are of one release over ${switches} switches under load, and become its page`, async ({
  openTab,
}) => {
  const store = openStore({ dataDir: shop.dataDir });
  const { content } = (await liveManifests(store)) as { content: ReleaseManifest };
  const { version } = await publishVariant(store, content, 'renames the shop', '星辰');
  const leads: Record<string, string> = { [content.version]: '和星点一起', [version]: '和星辰一起' };
  /** The release in the document's map, and of which ones its HTML is; of none where it is a skeleton. */
  const read = (html: string) => {
    const [, map = ''] = /id="release-map">([^<]*)</.exec(html) ?? [];
    const live: string = JSON.parse(map).microFrontends.content[0].metadata.version;
    const drawn = Object.keys(leads).filter((one) => html.includes(leads[one] ?? ''));
    return { live, drawn };
  };
  const open = async (theme = 'light') => {
    const headers = { accept: 'text/html', cookie: `language=zh-CN; theme=${theme}` };
    return read(await (await fetch(`${shop.url}/business`, { headers })).text());
  };
  await promote(store, { by: 'a test', name: 'content', version, skip: ['browser'], why: 'a test' });
  await expect.poll(open, { timeout: 30_000 }).toEqual({ live: version, drawn: [version] });

  const { page } = await openTab({ url: shop.url, language: 'zh-CN' });
  await noteArrival(page);
  const openInBrowser = async () => {
    const response = await page.goto('/business');
    const { live, drawn } = read((await response?.text()) ?? '');
    const kept = await hydrated(page);
    const shown = await page.getByRole('heading', { level: 2 }).first().innerText();
    return { kept, live, drawn, shown: Object.keys(leads).filter((one) => shown.startsWith(leads[one] ?? '')) };
  };
  const seen: Array<ReturnType<typeof read>> = [];
  const opened: Array<Awaited<ReturnType<typeof openInBrowser>>> = [];
  for (let count = 1; count <= switches; count += 1) {
    const to = count % 2 ? content.version : version;
    const meanwhile = [open(), open('dark'), open(), open('dark')];
    const inBrowser = count % Math.ceil(switches / 4) === 0 ? [openInBrowser()] : [];
    await rollback(store, { by: 'a test', name: 'content', to });
    const next = await open();
    expect(next.live).toBe(to);
    seen.push(next, ...(await Promise.all(meanwhile)));
    opened.push(...(await Promise.all(inBrowser)));
  }
  const rendered = seen.filter(({ drawn }) => drawn.length > 0);
  expect(rendered.filter(({ live, drawn }) => drawn.join() !== live)).toEqual([]);
  // A busy machine may send a skeleton now and then.
  expect(rendered.length).toBeGreaterThan(seen.length / 2);
  expect(new Set(rendered.map(({ live }) => live)).size).toBe(2);
  expect(opened).toEqual(opened.map(({ live }) => ({ kept: true, live, drawn: [live], shown: [live] })));
  expect(opened).toHaveLength(4);
});

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
