/**
 * A tab that stays open across releases recovers from them and does not grow (in detail: platform/host/src), and works for hours,
 * also on a device with a wrong clock. The gate opens pages for seconds only.
 */
import type { ReleaseManifest } from '@platform/releases';
import type { ReleaseVariant } from '@platform/releases/testing/release-variant';
import type { CDPSession, Page } from '@playwright/test';
import { contentShown } from './audit';
import { advanceAMinute } from './fault-proxy';
import { isMarkedDocument, loadsFinished, markDocument, navigate, waitForNewDocument } from './navigation';
import { expect, test } from './test';

const expectServedBy = (page: Page, { manifest: { name, version } }: ReleaseVariant) =>
  expect(page.locator('html')).toHaveAttribute(`data-${name}`, version);

/** Whether the document can call the server and its links and buttons are visible. */
const isSound = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const isReached = await Promise.race([
      fetch('/livez').then((response) => response.ok),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 2_000)),
    ]);
    const buttons = [...document.querySelectorAll('a, button')];
    return isReached && buttons.every((button) => getComputedStyle(button).visibility === 'visible');
  });

/** Needs an installed clock: the health watch of the tab loads three seconds after the document. */
const startDeferred = async (page: Page) => {
  await loadsFinished(page);
  await page.clock.fastForward(5_000);
  await loadsFinished(page);
};

test('an idle tab recovers within a minute after the rollback of a release that hid all buttons and cut off the network', async ({
  faultProxy,
  manifests,
  variant,
  openTab,
}) => {
  const good = manifests.catalog as ReleaseManifest;
  const bad = await variant('catalog', 'spoils the tab');
  const { page } = await openTab({ url: faultProxy.url, expectedErrors: /spoilt/ });
  faultProxy.goLive(bad.manifest);
  await page.clock.install();
  await page.goto('/home');
  await expectServedBy(page, bad);
  expect(await isSound(page)).toBe(false);
  await markDocument(page);
  await startDeferred(page);

  faultProxy.rollBack(good);
  await advanceAMinute(page, faultProxy);
  await waitForNewDocument(page);
  await expect(page.getByRole('link').first()).toBeVisible();
  expect(await isSound(page)).toBe(true);
});

/** `TEST_FULL=1` (`npm run test:full`) repeats the change more often. */
const isFullRun = Boolean(process.env.TEST_FULL);
const swaps = isFullRun ? 100 : 24;
const warmUpSwaps = isFullRun ? 20 : 8;
/** Bytes. A release of this remote has about 100 kB of source: releases that stayed in memory would exceed this. */
const maxHeapGrowth = isFullRun ? 4 * 1024 * 1024 : 1024 * 1024;

test(`${swaps} live changes of one remote leave no style, listener or node behind, and a bounded heap`, async ({
  faultProxy,
  variant,
  openTab,
}) => {
  const { page } = await openTab({ url: faultProxy.url });
  await page.goto('/business');
  await expect(page.getByRole('textbox').first()).toBeVisible();
  await markDocument(page);
  const session = await page.context().newCDPSession(page);
  let early: PageSize = { heap: 0, listeners: 0, nodes: 0, sheets: 0 };
  for (let swap = 1; swap <= swaps; swap += 1) {
    const { manifest } = await variant('content', 'sound', `swap ${swap}`);
    faultProxy.goLive(manifest);
    await navigate(page, swap % 2 ? '/article/privacy' : '/business');
    await page.waitForFunction((version) => document.documentElement.dataset.content === version, manifest.version, {
      polling: 50,
    });
    if (swap === warmUpSwaps) early = await sizeOf(session, page);
  }
  // Effects and idle work of the last navigations hold their objects for a while.
  await expect(async () => {
    const late = await sizeOf(session, page);
    expect(late.sheets).toBeLessThanOrEqual(early.sheets);
    expect(late.listeners).toBeLessThanOrEqual(early.listeners * 1.1);
    expect(late.nodes).toBeLessThanOrEqual(early.nodes * 1.1);
    expect(late.heap - early.heap).toBeLessThan(maxHeapGrowth);
  }).toPass({ timeout: 60_000 });
  expect(await isMarkedDocument(page)).toBe(true);
});

/** Resolves when the page has done its deferred work of the last navigations. */
const isIdle = (page: Page) =>
  page.evaluate(() => new Promise((idle) => requestIdleCallback(() => requestIdleCallback(idle))));

interface PageSize {
  /** Bytes, after a garbage collection. */
  heap: number;
  listeners: number;
  nodes: number;
  sheets: number;
}

async function sizeOf(session: CDPSession, page: Page): Promise<PageSize> {
  await isIdle(page);
  await page.waitForFunction(
    () => document.querySelectorAll('link[rel="stylesheet"][href*="/r/content/"]').length <= 1,
  );
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const counters = await session.send('Memory.getDOMCounters');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const sheets = await page.locator('link[rel="stylesheet"][href*="/r/content/"]').count();
  return { heap: usedSize, listeners: counters.jsEventListeners, nodes: counters.nodes, sheets };
}

const HOUR = 3_600_000;
/** A page may request the release map and its own updates. */
const maxRequestsAnHour = 400;

/** Pages of each remote; those of orders and account need a signed-in shopper. */
for (const path of ['/home', '/goods/1', '/business', '/order', '/user/wallet']) {
  test(`${path} works for two hours on a device whose clock is a day ahead`, async ({ demoToken, openTab }) => {
    const { page } = await openTab({ token: demoToken, language: 'en' });
    await page.clock.install({ time: Date.now() + 24 * HOUR });
    await page.goto(path);
    await contentShown(page);
    let requests = 0;
    page.on('request', () => (requests += 1));
    await page.clock.fastForward(HOUR);
    await loadsFinished(page);
    await page.clock.runFor(HOUR / 6);
    await loadsFinished(page);
    await contentShown(page);
    expect(requests).toBeLessThan(maxRequestsAnHour);
  });
}
