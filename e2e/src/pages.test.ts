/** Every route, as a guest and signed in, in both languages, at both widths, in both themes: it opens, without a fault. */
import type { Browser, Page } from 'playwright-core';
import { audit, layoutFaults, shifts, watchShifts } from './audit';
import { desktop, launchBrowser, networkIdle, openTab, phone } from './browser';
import { guardedRoutes, openRoutes } from './routes';
import { type Shop, startShop } from './shop';
import { beSignedIn, demoToken, orderThatMay } from './steps';

let shop: Shop;
let browser: Browser;
let token: string;
let orderNo: string;

beforeAll(async () => {
  [shop, browser] = await Promise.all([startShop(), launchBrowser()]);
  token = await demoToken(shop);
  orderNo = await orderThatMay('delete', shop, token);
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

/** A picture's time on a slow line, in ms: long enough that everything else stands by then. */
const slowPictureMs = 250;
const mostShift = 0.01;

/** What is wrong with the page at an address, in both themes. */
async function look(page: Page, path: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
  await page.goto(path);
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.getByRole('heading').first().waitFor();
  await networkIdle(page);
  const moved = await shifts(page);
  const found = moved.sum > mostShift ? [`${path}: moves by ${moved.sum.toFixed(3)}: ${moved.what.join('; ')}`] : [];
  if (new URL(page.url()).pathname !== path) found.push(`${path}: led to ${page.url()}`);
  found.push(...(await audit(page, `${path} light`)));
  // Still: a colour on its way from one theme to the other has no contrast to speak of.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.locator('html[data-theme="dark"]').waitFor();
  found.push(...(await audit(page, `${path} dark`)));
  return found;
}

describe.each([
  { language: 'zh-CN', width: 390, viewport: phone },
  { language: 'zh-CN', width: 1280, viewport: desktop },
  { language: 'en', width: 390, viewport: phone },
  { language: 'en', width: 1280, viewport: desktop },
] as const)('in $language at $width pixels, light and dark', ({ language, viewport }) => {
  async function visitor() {
    const tab = await openTab(browser, shop.url, { language, viewport });
    await watchShifts(tab.page);
    await tab.page.route('**/media/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, slowPictureMs));
      await route.continue();
    });
    return tab;
  }

  /** Two visitors share the pages between them: most of the time is spent waiting for pictures. */
  async function visit(paths: readonly string[], open: (page: Page, path: string) => Promise<string[]>) {
    const waiting = [...paths];
    const visits = [await visitor(), await visitor()];
    const found = visits.map(async ({ page }) => {
      const own: string[] = [];
      for (let path = waiting.shift(); path; path = waiting.shift()) own.push(...(await open(page, path)));
      return own;
    });
    const result = { found: (await Promise.all(found)).flat(), faults: visits.flatMap(({ faults }) => faults) };
    for (const { context } of visits) await context.close();
    return result;
  }

  it('every page opens for a signed-in shopper, nothing moves, and nothing is amiss', async () => {
    const signedIn = new Set<Page>();
    const paths = [...openRoutes, ...guardedRoutes, `/order/detail/${orderNo}`];
    const { found, faults } = await visit(paths, async (page, path) => {
      if (!signedIn.has(page)) await beSignedIn(page, token);
      signedIn.add(page);
      return look(page, path);
    });
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
  }, 240_000);

  it('a guest sees every open page, and is asked to sign in at every guarded one', async () => {
    const guarded = [...guardedRoutes, `/order/detail/${orderNo}`];
    const { found, faults } = await visit([...openRoutes, ...guarded], async (page, path) => {
      if (!guarded.includes(path)) return look(page, path);
      await page.goto(path);
      await page.getByRole('dialog').waitFor();
      return new URL(page.url()).pathname === '/home' ? [] : [`${path}: led to ${page.url()}`];
    });
    expect(found).toEqual([]);
    expect(faults.filter((fault) => !fault.includes('404 (Not Found)'))).toEqual([]);
  }, 240_000);
});

it('a kept page is where it was left, to the pixel, when the shopper comes back; one that is not kept starts anew', async () => {
  const { page, context, faults } = await openTab(browser, shop.url, { language: 'zh-CN' });
  const product = page.locator('main a[href^="/goods/"]').filter({ visible: true });
  const leaveAndReturn = async (from: string) => {
    await page.goto(from);
    await product.nth(6).waitFor();
    await product.nth(6).scrollIntoViewIfNeeded();
    await networkIdle(page);
    const left = await page.evaluate(() => window.scrollY);
    expect(left).toBeGreaterThan(200);
    await product.nth(6).click();
    await page.getByRole('button', { name: '立即购买' }).waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await product.nth(6).waitFor();
    await networkIdle(page);
    return { left, found: await page.evaluate(() => window.scrollY) };
  };
  const home = await leaveAndReturn('/home');
  expect(Math.abs(home.found - home.left)).toBeLessThanOrEqual(1);
  expect((await leaveAndReturn('/goods')).found).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
}, 60_000);

describe.each([
  { what: 'a window of 320 pixels', viewport: { width: 320, height: 568 } },
  { what: 'a desktop at 200 % zoom', viewport: { width: 640, height: 400 } },
])('in $what', ({ viewport }) => {
  it('every page fits, and what stands fixed leaves room to read', async () => {
    // English: its words are the longer ones.
    const { page, context, faults } = await openTab(browser, shop.url, { language: 'en', viewport });
    await beSignedIn(page, token);
    const found: string[] = [];
    for (const path of [...openRoutes, ...guardedRoutes, `/order/detail/${orderNo}`]) {
      await page.goto(path);
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      await page.getByRole('heading').first().waitFor();
      found.push(...(await layoutFaults(page)).map((fault) => `${path}: ${fault}`));
      const fixed = await heightOfFixedParts(page);
      if (fixed > viewport.height / 2) found.push(`${path}: ${fixed} px of ${viewport.height} stand fixed`);
    }
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }, 120_000);
});

/** Pixels of the window's height that bars cover while the page scrolls under them. */
async function heightOfFixedParts(page: Page): Promise<number> {
  await page.evaluate(() => window.scrollTo(0, 200));
  return page.evaluate(() => {
    const isBar = (element: Element) => {
      const { position, pointerEvents } = getComputedStyle(element);
      const { width, top, bottom } = element.getBoundingClientRect();
      const atAnEdge = top <= 0 || bottom >= window.innerHeight;
      return /fixed|sticky/.test(position) && pointerEvents !== 'none' && width > window.innerWidth / 2 && atAnEdge;
    };
    return Array.from(document.querySelectorAll('body *'))
      .filter(isBar)
      .reduce((sum, element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return sum + Math.max(0, Math.min(bottom, window.innerHeight) - Math.max(top, 0));
      }, 0);
  });
}
