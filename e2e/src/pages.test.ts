import type { Page } from '@playwright/test';
import {
  audit,
  contentShown,
  cutTexts,
  forcedColourFaults,
  lastingFaults,
  layoutFaults,
  layoutShifts,
  noticeableShifts,
  recordLayoutShifts,
} from './audit';
import { desktop, phone } from './browser';
import { holdRequests } from './navigation';
import { guardedRoutes, openRoutes } from './routes';
import { placeOrder, recordPages, tokenOfNewShopper, topUp, words } from './steps';
import { documentsRendered, expect, test } from './test';

const smallWindows = [
  { what: 'a desktop at 400 % zoom', width: 320, height: 256 },
  { what: 'a desktop at 200 % zoom', width: 640, height: 400 },
];

/**
 * A page is loaded at one width and resized to the other: the layout follows the window. Each page is audited once, in English,
 * which has the longer words. Half of the pages are loaded at each width, where layout shifts are measured and axe runs: by all
 * rules in light or dark by turns, and for colours in both. Chinese is compared as pictures (pictures.test.ts) and audited in
 * dialogs and states (states.test.ts).
 */
for (const [turn, loadedAt] of [desktop, phone].entries()) {
  const resizedTo = loadedAt === phone ? desktop : phone;
  for (const { what, paths } of [
    { what: 'public pages', paths: openRoutes },
    { what: 'pages that require a session', paths: guardedRoutes },
  ]) {
    test(`${what} loaded at ${loadedAt.width} pixels have no layout shift, overflow, small target or accessibility fault, fit small windows and show every control in forced colours`, async ({
      shop,
      demoToken,
      openTab,
    }) => {
      const isGuarded = paths === guardedRoutes;
      const { page } = await openTab({
        language: 'en',
        viewport: loadedAt,
        // Browsers report the status of that document.
        expectedErrors: /status of 404 .*\/404$/,
        ...(isGuarded ? { token: demoToken } : {}),
      });
      await recordLayoutShifts(page);
      const faults: string[] = [];
      const all = isGuarded ? [...paths, ...(await recordPages(shop, demoToken))] : paths;
      const ofThisWidth = all.filter((_, index) => index % 2 === turn);
      for (const [index, path] of ofThisWidth.entries()) {
        const [loadedIn, otherTheme] = index % 2 === turn ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
        await page.emulateMedia({ colorScheme: loadedIn, reducedMotion: 'no-preference' });
        await page.setViewportSize(loadedAt);
        // Everything else is rendered before the pictures, and would move if they had no reserved space.
        const sendPictures = await holdRequests(page, '**/media/**');
        await page.goto(path, { waitUntil: 'domcontentloaded' });
        await contentShown(page, { withPictures: false });
        sendPictures();
        await contentShown(page);
        faults.push(...(await noticeableShifts(page)).map((moved) => `${path}: layout shift of ${moved}`));
        if (new URL(page.url()).pathname !== path) faults.push(`${path}: redirected to ${page.url()}`);
        faults.push(...(await audit(page, `${path} at ${loadedAt.width}`, [loadedIn, otherTheme])));
        await page.setViewportSize(resizedTo);
        await contentShown(page);
        faults.push(...(await layoutFaults(page)).map((fault) => `${path} at ${resizedTo.width}: ${fault}`));
        for (const { what: where, ...size } of smallWindows) {
          await page.setViewportSize(size);
          await contentShown(page);
          faults.push(...(await smallWindowFaults(page, size.height)).map((fault) => `${path} in ${where}: ${fault}`));
        }
        await page.setViewportSize(resizedTo);
        // Otherwise the button disappears during the audit.
        await page.evaluate(() => window.scrollTo(0, 0));
        await expect(page.locator('.shell-back-to-top')).toHaveCount(0);
        await page.emulateMedia({ forcedColors: 'active' });
        faults.push(...(await forcedColourFaults(page)).map((fault) => `${path} in forced colours: ${fault}`));
        await page.emulateMedia({ forcedColors: 'none' });
      }
      expect(faults).toEqual([]);
    });
  }
}

test('codes that are paid from the wallet appear in their reserved space', async ({ shop, openTab }) => {
  const token = await tokenOfNewShopper(shop, '13900000075');
  await topUp(shop, token);
  const { page } = await openTab({ token });
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

for (const { refuses, language, cookie } of [
  { refuses: 'storage', language: '', cookie: 'en' },
  { refuses: 'cookies', language: 'en', cookie: '' },
])
  test(`an English visitor whose browser refuses ${refuses} gets English and dollars, and pages do not move`, async ({
    shop,
    openTab,
  }) => {
    for (const language of ['zh-CN', 'en'])
      await documentsRendered(shop, ['/home', '/goods/1'], `language=${language}`);
    const { page, context } = await openTab();
    if (cookie) await context.addCookies([{ name: 'language', value: cookie, url: shop.url }]);
    await page.addInitScript(
      ({ refuses, language }) => {
        const get = () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        };
        if (language) localStorage.setItem('language', language);
        if (refuses === 'cookies') Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });
        else for (const kind of ['localStorage', 'sessionStorage']) Object.defineProperty(window, kind, { get });
      },
      { refuses, language },
    );
    await recordLayoutShifts(page);
    for (const path of ['/home', '/goods/1']) {
      await page.goto(path);
      await contentShown(page);
      await expect(page).toHaveURL(path);
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      await expect(page.getByRole('main')).toContainText('Genshin Impact');
      await expect(page.getByRole('main')).toContainText('$');
      await expect(page.getByRole('main')).not.toContainText('¥');
      expect((await layoutShifts(page)).sum).toBeLessThan(0.05);
    }
  });

function doubleText(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { font-size: 200% }');
  document.adoptedStyleSheets = [sheet];
}

/** A setting of the browser or phone: half of the pages in each language. */
for (const [turn, language] of (['zh-CN', 'en'] as const).entries())
  test(`with text at 200 %, pages cut no text and break no word, in ${language}`, async ({
    shop,
    demoToken,
    openTab,
  }) => {
    // Browsers report the status of that document.
    const { page } = await openTab({ language, token: demoToken, expectedErrors: /status of 404 .*\/404$/ });
    await page.addInitScript(doubleText);
    const allFaults: string[] = [];
    const all = [...openRoutes, ...guardedRoutes, ...(await recordPages(shop, demoToken))];
    for (const path of all.filter((_, index) => index % 2 === turn)) {
      await page.goto(path);
      await contentShown(page);
      const faults = await lastingFaults(page, async () => [
        ...(await layoutFaults(page)),
        ...(await cutTexts(page, { upright: true })),
      ]);
      allFaults.push(...faults.map((fault) => `${path}: ${fault}`));
    }
    expect(allFaults).toEqual([]);
  });

test('progress bar, tabs and overlays have the durations and the layer of the specification', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/home');
  await expect(page.locator('.catalog-module').first()).toBeVisible();
  const styles = await page.evaluate(() => {
    const styleOf = (className: string, pseudo?: string) => {
      const element = document.body.appendChild(document.createElement('div'));
      element.className = className;
      return getComputedStyle(element, pseudo);
    };
    const progress = styleOf('shell-progress shell-progress--on');
    return {
      progress: [progress.animationDuration, progress.animationDelay, progress.animationTimingFunction],
      tabs: styleOf('ui-tabs__tab', '::after').transitionDuration,
      overlays: getComputedStyle(document.documentElement).getPropertyValue('--z-overlay'),
    };
  });
  // 500 ms to the first stop, then twenty steps of 200 ms.
  expect(styles.progress).toEqual(['0.5s, 4s', '0s, 0.5s', 'ease-out, steps(20)']);
  expect(styles.tabs.split(', ')).toContain('0.3s');
  expect(styles.overlays).toBe('2000');
});

test('a kept-alive page returns to its scroll position to the pixel; another starts at the top', async ({ page }) => {
  const goods = page.locator('main a[href^="/goods/"]').filter({ visible: true }).nth(6);
  const scrollY = () => page.evaluate(() => window.scrollY);
  const leaveAndReturn = async (from: string) => {
    await page.goto(from);
    await goods.scrollIntoViewIfNeeded();
    await contentShown(page);
    const left = await scrollY();
    expect(left).toBeGreaterThan(200);
    await goods.click();
    await expect(page.getByRole('button', { name: words['zh-CN'].buy })).toBeVisible();
    expect(await scrollY()).toBe(0);
    // React hides a kept-alive page again if part of it renders meanwhile, which happens by chance.
    await page.evaluate(() => {
      for (const page of document.querySelectorAll<HTMLElement>('.shell-kept[data-away] > .shell-page'))
        page.style.setProperty('display', 'none', 'important');
    });
    await page.goBack();
    await expect(goods).toBeVisible();
    await contentShown(page);
    return left;
  };
  const left = await leaveAndReturn('/home');
  expect(Math.abs((await scrollY()) - left)).toBeLessThanOrEqual(1);
  await leaveAndReturn('/goods');
  expect(await scrollY()).toBe(0);
});

/** Overflow, small targets, and bars that leave less than half of the window's height. */
const smallWindowFaults = (page: Page, height: number): Promise<string[]> =>
  lastingFaults(page, async () => {
    const faults = [...(await layoutFaults(page)), ...(await cutTexts(page))];
    const fixed = await heightOfFixedBars(page);
    if (fixed > height / 2) faults.push(`fixed bars cover ${fixed} px of ${height}`);
    return faults;
  });

/** Pixels of the window's height that bars cover while the page scrolls under them. */
async function heightOfFixedBars(page: Page): Promise<number> {
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
