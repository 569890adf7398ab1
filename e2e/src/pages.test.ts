/** Every route as a guest and signed in, in both languages, widths and themes. */
import type { Page } from '@playwright/test';
import { audit, contentShown, layoutFaults, layoutShifts, recordLayoutShifts, trackCalls } from './audit';
import { desktop, phone } from './browser';
import { isFullRun } from './full-run';
import { guardedRoutes, openRoutes } from './routes';
import type { Shop } from './shop';
import { orderAllowing, words } from './steps';
import { expect, test } from './test';

/** Pictures take this long, in ms, so that everything else is drawn before them and moves if they had no space reserved. */
const pictureDelayMs = 250;
const maxLayoutShift = 0.01;

/**
 * A page is loaded at one width and resized to the other: the layout follows the window. The width of the load, at which
 * layout shifts are measured, alternates; a full run loads each page at both.
 */
const combinations = [
  { language: 'zh-CN', visitor: 'a signed-in shopper', loadedAt: phone, resizedTo: desktop },
  { language: 'en', visitor: 'a signed-in shopper', loadedAt: desktop, resizedTo: phone },
  { language: 'zh-CN', visitor: 'a guest', loadedAt: desktop, resizedTo: phone },
  { language: 'en', visitor: 'a guest', loadedAt: phone, resizedTo: desktop },
] as const;
const runs = isFullRun
  ? combinations.flatMap((one) => [one, { ...one, loadedAt: one.resizedTo, resizedTo: one.loadedAt }])
  : combinations;

const detailOf = async (shop: Shop, token: string) => `/order/detail/${await orderAllowing('delete', shop, token)}`;

for (const { language, visitor, loadedAt, resizedTo } of runs) {
  test.describe(`${visitor}, in ${language}, at ${loadedAt.width} and ${resizedTo.width} pixels, light and dark`, () => {
    const isGuest = visitor === 'a guest';
    const groups = [
      { what: 'home and goods', paths: openRoutes.slice(0, 5) },
      { what: 'articles and the other open pages', paths: openRoutes.slice(5) },
      ...(isGuest ? [] : [{ what: 'pages that require a session', paths: guardedRoutes }]),
    ];
    for (const { what, paths } of groups) {
      test(`${what} open without layout shift, overflow, small target or accessibility fault`, async ({
        shop,
        demoToken,
        openTab,
      }) => {
        test.setTimeout(120_000);
        const { page } = await openTab({ language, viewport: loadedAt, ...(isGuest ? {} : { token: demoToken }) });
        const calls = trackCalls(page);
        await recordLayoutShifts(page);
        await page.route('**/media/**', async (route) => {
          await new Promise((resolve) => setTimeout(resolve, pictureDelayMs));
          await route.continue();
        });
        const found: string[] = [];
        for (const path of paths === guardedRoutes ? [...paths, await detailOf(shop, demoToken)] : paths) {
          await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
          await page.setViewportSize(loadedAt);
          await page.goto(path);
          await contentShown(page, calls);
          const { sum, what: moved } = await layoutShifts(page);
          if (sum > maxLayoutShift) found.push(`${path}: layout shift of ${sum.toFixed(3)}: ${moved.join('; ')}`);
          if (new URL(page.url()).pathname !== path) found.push(`${path}: redirected to ${page.url()}`);
          found.push(...(await audit(page, `${path} at ${loadedAt.width}`)));
          await page.setViewportSize(resizedTo);
          await contentShown(page, calls);
          found.push(...(await audit(page, `${path} at ${resizedTo.width}`)));
        }
        expect(found).toEqual([]);
      });
    }

    if (!isGuest) return;
    test('pages that require a session ask a guest to sign in, over home', async ({ shop, demoToken, openTab }) => {
      const { page } = await openTab({ language, viewport: loadedAt });
      for (const path of [...guardedRoutes, await detailOf(shop, demoToken)]) {
        await page.goto(path);
        await expect(page.getByRole('dialog'), path).toBeVisible();
        await expect(page, path).toHaveURL('/home');
      }
    });
  });
}

test('a kept-alive page returns to its scroll position to the pixel; another starts at the top', async ({ page }) => {
  const calls = trackCalls(page);
  const goods = page.locator('main a[href^="/goods/"]').filter({ visible: true }).nth(6);
  const scrollY = () => page.evaluate(() => window.scrollY);
  const leaveAndReturn = async (from: string) => {
    await page.goto(from);
    await goods.scrollIntoViewIfNeeded();
    await contentShown(page, calls);
    const left = await scrollY();
    expect(left).toBeGreaterThan(200);
    await goods.click();
    await expect(page.getByRole('button', { name: words['zh-CN'].buy })).toBeVisible();
    expect(await scrollY()).toBe(0);
    await page.goBack();
    await expect(goods).toBeVisible();
    await contentShown(page, calls);
    return left;
  };
  const left = await leaveAndReturn('/home');
  expect(Math.abs((await scrollY()) - left)).toBeLessThanOrEqual(1);
  await leaveAndReturn('/goods');
  expect(await scrollY()).toBe(0);
});

for (const { what, viewport } of [
  { what: 'a window of 320 pixels', viewport: { width: 320, height: 568 } },
  { what: 'a desktop at 200 % zoom', viewport: { width: 640, height: 400 } },
]) {
  test(`every page fits ${what}, and fixed bars leave half of its height`, async ({ shop, demoToken, openTab }) => {
    // English: its words are the longer ones.
    const { page } = await openTab({ language: 'en', viewport, token: demoToken });
    const found: string[] = [];
    for (const path of [...openRoutes, ...guardedRoutes, await detailOf(shop, demoToken)]) {
      await page.goto(path);
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      await expect(page.getByRole('heading').first()).toBeVisible();
      found.push(...(await layoutFaults(page)).map((fault) => `${path}: ${fault}`));
      const fixed = await heightOfFixedBars(page);
      if (fixed > viewport.height / 2) found.push(`${path}: fixed bars cover ${fixed} px of ${viewport.height}`);
    }
    expect(found).toEqual([]);
  });
}

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
