/**
 * Documents and what the browser has stored: language, theme, session, canary and cookies, each there, missing, refused,
 * contradicting and rubbish. On every public page something is to be seen, in the stored language and currency, without a move.
 */
import path from 'node:path';
import { browserScript } from '@platform/build/browser-script';
import { type Emptiness, openStore, promote } from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { layoutShifts, recordLayoutShifts } from './audit';
import { desktop, phone } from './browser';
import { isFullRun } from './full-run';
import { openRoutes } from './routes';
import { root, type Shop } from './shop';
import { call, type Language, tokenByPassword } from './steps';
import { documentsRendered, expect, liveManifests, startOwnShop, test } from './test';

// One shop for the file: a canary is live in it.
test.describe.configure({ mode: 'default' });

const inPage = browserScript(path.join(root, 'scripts/release/testing/emptiness-in-page.ts'));
/** As the gate has it. */
const largestShift = 0.05;
/** A page whose last call has been answered is drawn in the next frame or two. */
const frames = 60;
const contextsAtOnce = 3;

const levels = {
  language: ['missing', 'zh-CN', 'en', 'rubbish', 'refused'],
  cookie: ['missing', 'zh-CN', 'en', 'rubbish', 'refused'],
  theme: ['missing', 'light', 'dark', 'rubbish', 'contradicting'],
  session: ['missing', 'valid', 'expired', 'rubbish', 'no header'],
  canary: ['missing', 'in it', 'not in it', 'rubbish', 'too large'],
} as const;
type State = { [Factor in keyof typeof levels]: (typeof levels)[Factor][number] };

interface Visits {
  state: State;
  pages: string[];
}

/**
 * All 25 combinations of stored language and cookie, on the home page and a product by turns. The other factors and pages are linear
 * forms over the field of five elements, no two of them proportional: every pair of values of two factors is met, and in a full run
 * on both pages, and every other page meets every value.
 */
const mainPages = ['/home', '/goods/1'];
const otherPages = [...openRoutes.filter((route) => !mainPages.includes(route)), '/user/wallet', '/no/such/page'];
const visits: Visits[] = [0, 1, 2, 3, 4].flatMap((i) =>
  [0, 1, 2, 3, 4].map((j) => {
    const state = {
      language: levels.language[i],
      cookie: levels.cookie[j],
      theme: levels.theme[(i + 3 * j) % 5],
      session: levels.session[(i + 4 * j) % 5],
      canary: levels.canary[(i + j) % 5],
    } as State;
    const others = otherPages.filter((_, page) => isFullRun && (page + i + 2 * j) % 5 === 0);
    return {
      state,
      pages: [...mainPages.filter((_, page) => isFullRun || (i + Math.floor(j / 2)) % 2 === page), ...others],
    };
  }),
);

const known = (language: string): Language | undefined =>
  language === 'en' || language === 'zh-CN' ? language : undefined;
/** What is stored counts, then what the document came in. */
const expectedLanguage = ({ language, cookie }: State): Language => known(language) ?? known(cookie) ?? 'zh-CN';

let shop: Shop;
let tokens: Record<State['session'], string>;

test.beforeAll(async () => {
  shop = await startOwnShop({ SHOP_RENDER: 'on' });
  const expired = await tokenByPassword(shop, '13800000000', 'demo1234');
  await call(shop, '/api/front/app/logout', expired, {});
  tokens = {
    missing: '',
    valid: await tokenByPassword(shop, '13800000000', 'demo1234'),
    expired,
    rubbish: 'Bearer undefined',
    'no header': '令牌\n',
  };
  const store = openStore({ dataDir: shop.dataDir });
  const { catalog } = await liveManifests(store);
  if (!catalog) throw new Error('no catalog is live');
  const { version } = await publishVariant(store, catalog, 'comment');
  await promote(store, { by: 'a test', name: 'catalog', version, traffic: 50, skip: ['browser'], why: 'a test' });
  const pages = isFullRun ? openRoutes : mainPages;
  for (const visitor of [3, 97]) await documentsRendered(shop, pages, `visitor=${visitor}`);
});
test.afterAll(() => shop?.stop());

/** As on a first visit: a document of the shop writes cookies for the next one. */
async function giveCookies(context: BrowserContext, { cookie, theme, canary }: State): Promise<void> {
  await context.clearCookies();
  if (cookie === 'refused') return;
  const numbers = { missing: '', 'in it': '3', 'not in it': '97', rubbish: 'abc', 'too large': '1e9' };
  const given = Object.entries({
    language: cookie === 'rubbish' ? 'fr' : (known(cookie) ?? ''),
    theme: theme === 'contradicting' ? 'light' : '',
    visitor: numbers[canary],
  }).filter(([, value]) => value !== '');
  await context.addCookies(given.map(([name, value]) => ({ name, value, url: shop.url })));
}

/** Before the context's first document. */
async function fillStorage(context: BrowserContext, { language, cookie, theme, session }: State): Promise<void> {
  const themes = { missing: '', light: 'light', dark: 'dark', rubbish: 'pink', contradicting: 'dark' };
  await context.addInitScript(
    ({ items, areCookiesRefused, isStorageRefused }) => {
      if (areCookiesRefused) Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });
      if (isStorageRefused) {
        for (const kind of ['localStorage', 'sessionStorage']) {
          Object.defineProperty(window, kind, {
            get() {
              throw new DOMException('The operation is insecure.', 'SecurityError');
            },
          });
        }
        return;
      }
      for (const [key, value] of Object.entries(items)) if (value) localStorage.setItem(key, value);
    },
    {
      items: {
        language: language === 'rubbish' ? 'null' : (known(language) ?? ''),
        theme: themes[theme],
        token: tokens[session],
      },
      areCookiesRefused: cookie === 'refused',
      isStorageRefused: language === 'refused',
    },
  );
  await context.addInitScript({ content: inPage });
}

interface Seen {
  why: string;
  lang: string;
  mark: boolean;
  address: string;
  text: string;
  title: string;
}

/** Waits until the shell has taken the page over and nothing stands in the place of content. */
async function look(page: Page): Promise<Seen> {
  await page.waitForFunction(
    () =>
      Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer')) &&
      document.querySelector('#root > :not(.boot)') &&
      !document.querySelector(
        '.shell-page-skeleton, .shell-kept:not([data-away]) [aria-busy="true"]:not(button, output)',
      ),
  );
  return page.evaluate(async (limit) => {
    const { pageEmptiness } = globalThis as unknown as { pageEmptiness(): Emptiness | null };
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let found = pageEmptiness();
    for (let count = 0; found && count < limit; count += 1) {
      await frame();
      found = pageEmptiness();
    }
    const main = document.querySelector('.shell-kept:not([data-away])') ?? document.getElementById('root');
    return {
      why: found?.why ?? '',
      lang: document.documentElement.lang,
      mark: document.documentElement.dataset.redraw !== undefined,
      address: location.pathname + location.search,
      text: (main as HTMLElement | null)?.innerText ?? '',
      title: document.title,
    };
  }, frames);
}

const chinese = /[\u4e00-\u9fff]/g;
/** Chinese characters for each letter, 0 to 1. */
const chineseIn = (text: string) => {
  const count = text.match(chinese)?.length ?? 0;
  return count / Math.max(1, count + (text.match(/[a-z]/gi)?.length ?? 0));
};

function faultsOf({ why, lang, mark, address, text, title }: Seen, language: Language): string[] {
  const faults: string[] = [];
  const other = language === 'en' ? '¥' : '$';
  const isIn = (what: string) => (language === 'en' ? chineseIn(what) < 0.05 : chineseIn(what) > 0.15);
  if (why) faults.push(`the page ${why}`);
  if (mark) faults.push('the page is marked as one in another language');
  if (lang !== language) faults.push(`the document says ${lang}`);
  if (!why && !isIn(text)) faults.push(`${Math.round(100 * chineseIn(text))} % Chinese: ${text.slice(0, 80)}`);
  if (!isIn(title)) faults.push(`the title is ${title}`);
  if (text.includes(other)) faults.push(`a price in ${other}`);
  if (/[?&]lang=/.test(address)) faults.push(`the address is ${address}`);
  return faults;
}

const nameOf = (state: State) =>
  Object.entries(state)
    .map(([factor, value]) => `${factor} ${value}`)
    .join(', ');

test('whatever is stored, every public page shows its content in the stored language, with its prices, and stays where it is', async ({
  browser,
}) => {
  test.setTimeout(600_000);
  const found: Record<string, string[]> = {};
  const waiting = [...visits.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, { state, pages }] = next;
      const viewport = index % 2 ? desktop : phone;
      const context = await browser.newContext({
        baseURL: shop.url,
        viewport,
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
      });
      await fillStorage(context, state);
      const page = await context.newPage();
      await recordLayoutShifts(page);
      for (const address of pages) {
        await giveCookies(context, state);
        await page.goto(address);
        const faults = faultsOf(await look(page), expectedLanguage(state));
        const { sum, what } = await layoutShifts(page);
        if (sum > largestShift) faults.push(`it moved by ${sum.toFixed(3)}: ${what.join(' ')}`);
        if (faults.length > 0) found[`${address} with ${nameOf(state)}`] = faults;
      }
      await context.close();
    }
  };
  await Promise.all(Array.from({ length: contextsAtOnce }, worker));
  expect(found).toEqual({});
});

/** A visitor with English stored at a host that answers each address in Chinese, whatever it asks for. */
async function openAtChineseHost(browser: Browser, { withScripts }: { withScripts: boolean }) {
  const context = await browser.newContext({ baseURL: shop.url, viewport: phone, serviceWorkers: 'block' });
  const documents: string[] = [];
  await context.addInitScript(() => localStorage.setItem('language', 'en'));
  await context.addInitScript({ content: inPage });
  await context.route(
    (url) => url.pathname === '/goods/1',
    async (route) => {
      documents.push(route.request().url());
      const headers = { accept: 'text/html', cookie: 'language=zh-CN' };
      const { status, body, policy } = await documentAt('/goods/1', headers);
      await route.fulfill({
        status,
        body,
        headers: { 'content-type': 'text/html', 'content-security-policy': policy },
      });
    },
  );
  if (!withScripts) await context.route('**/r/**/*.js', (route) => route.abort());
  const page = await context.newPage();
  await page.goto('/goods/1');
  return { page, context, documents };
}

async function documentAt(address: string, headers: Record<string, string>) {
  const response = await fetch(shop.url + address, { headers });
  const policy = response.headers.get('content-security-policy') ?? '';
  return { status: response.status, body: await response.text(), policy };
}

test('a page that comes in another language whatever is asked for is drawn anew by the shell, after one other try', async ({
  browser,
}) => {
  const { page, context, documents } = await openAtChineseHost(browser, { withScripts: true });
  expect(faultsOf(await look(page), 'en')).toEqual([]);
  expect(documents.map((url) => new URL(url).search)).toEqual(['', '?lang=en']);
  await context.close();
});

test('a page in another language is better than none: without a script it is shown after three seconds', async ({
  browser,
}) => {
  const { page, context } = await openAtChineseHost(browser, { withScripts: false });
  await expect(page.locator('main h1').first()).toBeVisible();
  await context.close();
});
