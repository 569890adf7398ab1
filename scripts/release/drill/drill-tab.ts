/** A real tab that runs the bad release, and whether it is well again without its shopper. */
import { releaseBase } from '@platform/releases';
import { returningKey } from '@platform/releases/testing/release-variant';
import type { Browser, Page } from 'playwright-core';
import type { Drill } from './drills';

const RUN_MS = 30_000;
const LOOK_MS = 500;

/** Whether the document can call the server and its links and buttons can be seen. */
export const isSound = (page: Pick<Page, 'evaluate'>): Promise<boolean> =>
  page.evaluate(async () => {
    const isReached = await Promise.race([
      fetch('/livez').then((response) => response.ok),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 2_000)),
    ]);
    const buttons = [...document.querySelectorAll('a, button')];
    return isReached && buttons.every((button) => getComputedStyle(button).visibility === 'visible');
  });

export interface DrillTab {
  /** Seconds after `since`, a time of `performance.now()`, until it is well again; null when it is not within `limitMs`. */
  recovers(since: number, limitMs: number): Promise<number | null>;
  close(): Promise<void>;
}

export interface DrillTabOptions {
  url: string;
  path: string;
  isGuarded: boolean;
  version: string;
  /** With which a signed-in shopper's calls are authorised. */
  token: string;
  drill: Drill;
}

/** Throws when the tab does not run the release. */
export async function openDrillTab(
  browser: Browser,
  { url, path, isGuarded, version, token, drill: { remote, tab = {} } }: DrillTabOptions,
): Promise<DrillTab> {
  const base = releaseBase(remote, version);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const language = tab.language ?? 'zh-CN';
  // In every canary, and a document in another language would be loaded again.
  await context.addCookies([
    { name: 'visitor', value: '0.01', url },
    { name: 'language', value: language, url },
  ]);
  const stored = {
    language,
    ...((isGuarded || tab.signedIn) && { token }),
    ...(tab.returning && { [returningKey(remote)]: '1' }),
  };
  await context.addInitScript((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
  }, stored);
  const page = await context.newPage();
  try {
    const ran = page.waitForRequest((request) => request.url().includes(base), { timeout: RUN_MS });
    // Awaited below; where the document takes as long, it must not end the process before.
    ran.catch(() => {});
    await page.goto(url + path, { waitUntil: 'commit' });
    await ran;
    // Lost with the document.
    await page.evaluate(() => void Object.assign(window, { ranBadRelease: true }));
    if (tab.press) {
      await page.locator('[data-remote]').first().waitFor();
      // Beside everything that a press would open.
      await page.locator('#root').click({ position: { x: 2, y: 300 } });
    }
  } catch (error) {
    await context.close();
    throw error;
  }

  const isWell = async () => {
    const isReplaced = await page.evaluate((unwanted) => {
      const files = performance.getEntriesByType('resource').map(({ name }) => name);
      const isShown =
        document.querySelector('[data-remote]:not([hidden])') &&
        !document.querySelector('.shell-page-skeleton, .shell-page-failure');
      return Boolean(
        isShown &&
          !('ranBadRelease' in window) &&
          document.readyState === 'complete' &&
          !files.some((file) => file.includes(unwanted)),
      );
    }, base);
    return isReplaced && (await isSound(page));
  };

  return {
    async recovers(since, limitMs) {
      while (performance.now() - since < limitMs) {
        // A document that is being replaced, or a main thread that stands, answers later.
        const wait = new Promise<false>((resolve) => setTimeout(() => resolve(false), 10_000));
        if (await Promise.race([isWell().catch(() => false), wait])) return (performance.now() - since) / 1000;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      return null;
    },
    close: () => context.close(),
  };
}
