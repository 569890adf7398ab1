import { expect, type Page } from '@playwright/test';
import { requestsInFlight } from './browser';

/** Navigates as a link does, without a load. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const state = { idx: (history.state?.idx ?? 0) + 1, key: Math.random().toString(36).slice(2), usr: null };
    history.pushState(state, '', to);
    window.dispatchEvent(new PopStateEvent('popstate', { state }));
  }, path);
}

/**
 * Waits until all requests of the page, and those that they lead to, have been answered. A clock that is then advanced meets no
 * time limit of a load.
 */
export const loadsFinished = (page: Page) =>
  expect
    .poll(
      async () => {
        const before = requestsInFlight(page).size;
        // Earlier responses are handled before this call. A load of the document ends it.
        await page.evaluate(() => {}).catch(() => {});
        return before + requestsInFlight(page).size;
      },
      { message: 'requests in flight', intervals: [20] },
    )
    .toBe(0);

/** Opens a page with a controlled clock and its service worker, which registers three seconds after the load. */
export async function openWithWorker(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await page.goto(path);
  await loadsFinished(page);
  await page.clock.fastForward(3_000);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

/** Delays requests of the page until the returned function is called. */
export async function holdRequests(page: Page, address: string | RegExp): Promise<() => void> {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    return route.fallback();
  });
  return release;
}

/** Marks the document: a load removes the mark, so a test can detect it. */
export const markDocument = (page: Page) =>
  page.evaluate(() => void Object.assign(window, { stillTheSameDocument: true }));

export const waitForNewDocument = (page: Page) => page.waitForFunction(() => !('stillTheSameDocument' in window));

export const isMarkedDocument = (page: Page) => page.evaluate(() => 'stillTheSameDocument' in window);
