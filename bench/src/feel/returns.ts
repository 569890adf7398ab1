/** Coming back: a repeat visit, and the browser's own back and forward. */
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../../e2e/src/browser';
import { quantile } from '../measure/statistics';
import { makeCertificate, startFront } from '../rig/front';
import { slowLine } from '../rig/slow-line';
import { serveFloor, toFloor } from './floor';
import { type Figure, goHome, open, type Rig, type Scheduler } from './visitor';

const samples = 15;
/** Long enough for what a page fetches after its first paint to be in the cache. */
const stayMs = 1_000;

const firstPaint = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        new PerformanceObserver((list) => {
          const entry = list.getEntriesByName('first-contentful-paint')[0];
          if (entry) resolve(entry.startTime);
        }).observe({ type: 'paint', buffered: true }),
      ),
  );

async function paints(rig: Rig, url: string): Promise<number[]> {
  const visits = Math.ceil(samples * rig.share);
  const { context, page } = await open(rig, { url, ignoreHTTPSErrors: true });
  const found: number[] = [];
  for (let turn = 0; turn <= visits; turn += 1) {
    await page.goto('/home');
    const paint = await firstPaint(page);
    // The first visit fills the cache.
    if (turn > 0) found.push(paint);
    await page.waitForTimeout(turn === 0 ? 3 * stayMs : stayMs);
    await page.goto('about:blank');
  }
  await context.close();
  return found;
}

export async function repeat(rig: Rig): Promise<Figure[]> {
  const front = await startFront({ certificate: await makeCertificate(), line: slowLine, upstream: rig.shop.url });
  rig.later(() => front.close());
  const near = await paints(rig, rig.shop.url);
  const far = await paints(rig, front.url);
  const of = (all: readonly number[]) => `median of ${all.length} visits, p95 ${Math.round(quantile(all, 0.95))}`;
  return [
    { what: 'repeat visit, first paint', value: quantile(near, 0.5), goal: 300, unit: 'ms', of: of(near) },
    {
      what: 'repeat visit behind the slow line, first paint',
      value: quantile(far, 0.5),
      goal: 300,
      unit: 'ms',
      of: `${of(far)}; the document is asked for each time`,
    },
  ];
}

/** Away to another document and back, from the moment the page is shown again to its first frame, ms. All must come out of the back-forward cache. */
async function waysBack(rig: Rig, page: Page): Promise<number[]> {
  const visits = Math.ceil(samples * rig.share);
  await page.evaluate(() => {
    const shown: Array<{ persisted: boolean; ms: number }> = [];
    Object.assign(window, { benchShown: shown });
    window.addEventListener('pageshow', ({ persisted, timeStamp }) => {
      requestAnimationFrame(() => {
        const painted = () => shown.push({ persisted, ms: performance.now() - timeStamp });
        (window as never as { scheduler: Scheduler }).scheduler.postTask(painted, { priority: 'user-blocking' });
      });
    });
  });
  const address = page.url();
  for (let turn = 0; turn < visits; turn += 1) {
    await page.goto(new URL('/livez', address).href);
    await page.evaluate(() => history.back());
    await page.waitForURL(address, { waitUntil: 'commit' });
    await page.waitForFunction(
      (count) => (window as never as { benchShown?: unknown[] }).benchShown?.length === count,
      turn + 1,
    );
  }
  const shown = await page.evaluate(
    () => (window as never as { benchShown: Array<{ persisted: boolean; ms: number }> }).benchShown,
  );
  const kept = shown.filter(({ persisted }) => persisted);
  if (kept.length < visits)
    throw new Error(`${visits - kept.length} of ${visits} ways back did not come from the cache`);
  return kept.map(({ ms }) => ms);
}

export async function back(rig: Rig): Promise<Figure[]> {
  const browser = await launchBrowser({ backForwardCache: true });
  rig.later(() => browser.close());
  const bare = await open(rig, { browser });
  await bare.page.goto(await serveFloor(rig));
  const floor = await waysBack(rig, bare.page);
  await bare.context.close();
  const { page, context } = await open(rig, { browser, signedIn: true });
  await goHome(page);
  const times = await waysBack(rig, page);
  await context.close();
  return [
    {
      what: 'back from another site, from the browser’s cache, p95, to its first frame',
      value: quantile(times, 0.95),
      goal: 100,
      unit: 'ms',
      of: `${times.length} ways back, median ${Math.round(quantile(times, 0.5))}; the floor’s p95 is ${Math.round(quantile(floor, 0.95))}`,
    },
    toFloor(
      'back from another site, from the browser’s cache, p95',
      times,
      floor,
      1.5,
      `all ${times.length} came from the cache; from the moment the page is shown again to its first frame`,
    ),
  ];
}
