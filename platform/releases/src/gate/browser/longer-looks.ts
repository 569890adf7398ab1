/** Looks at a remote that take longer than a visit, so each is made on one of its pages only. */
import type { Browser, BrowserContext } from 'playwright-core';
import { requestTo } from '../..';
import { onlyTo } from './browsers';
import type { Fault } from './faults';
import type { GateSite } from './gate-site';
import type { ReleaseSource } from './release-source';
import { isReady, messageOf, READY_MS, roundTrip, unlessItHangs } from './visit';

/** Two changes of the page each. */
const ROUND_TRIPS = 10;
/** Before them the page's own caches fill. */
const WARM_UP = 2;
/** What a change of the page may leave behind, in bytes. */
const KEPT_BYTES = 500_000;
const WORKER_MS = 10_000;

interface Look {
  where: string;
  address: string;
  /** How long the main thread may answer nothing, in milliseconds. */
  hangMs: number;
}

/** Memory after 20 changes of the page. */
export async function lookAtMemory(
  context: BrowserContext,
  site: GateSite,
  { where, address, hangMs }: Look,
  source: ReleaseSource,
): Promise<Fault[]> {
  const fault = (what: string): Fault[] => [{ check: 'memory', where, what, depends: 'on time' }];
  const page = await context.newPage();
  const look = async (): Promise<Fault[]> => {
    await page.goto(site.origin + address, { waitUntil: 'commit' });
    if (!(await isReady(page, READY_MS))) return [];
    const session = await context.newCDPSession(page);
    const used = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const usage = (await session.send('Runtime.getHeapUsage')) as Record<string, number>;
      return (usage.usedSize ?? 0) + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0);
    };
    let before = 0;
    for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
      if (trip === WARM_UP) before = await used();
      if ((await roundTrip(page, source, READY_MS)) === 'nowhere to go') return [];
    }
    const changes = 2 * (ROUND_TRIPS - WARM_UP);
    const kept = ((await used()) - before) / changes;
    return kept < KEPT_BYTES ? [] : fault(`each change of the page keeps ${(kept / 1e6).toFixed(1)} MB`);
  };
  try {
    const found = await unlessItHangs(page, hangMs, look);
    return found === 'hangs' ? fault('the main thread does not answer any more') : found;
  } catch (error) {
    return fault(messageOf(error));
  } finally {
    await page.close();
  }
}

/** Whether the site opens without a connection after a visit of the page, and the page again with one. */
export async function lookOffline(
  browser: Browser,
  site: GateSite,
  { where, address, hangMs }: Look,
  worker: string,
): Promise<Fault[]> {
  const fault = (what: string): Fault[] => [{ check: 'offline', where, what, depends: 'on time' }];
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...onlyTo(site) });
  const page = await context.newPage();
  const isRegistered = () =>
    page.evaluate((timeout) => {
      const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), timeout));
      return Promise.race([navigator.serviceWorker.ready.then(() => true), late]);
    }, WORKER_MS);
  const look = async (): Promise<Fault[]> => {
    if (!(await answers(new URL(worker, site.origin)))) return [];
    // A page of nobody, so that its worker is there before the release.
    await page.goto(`${site.origin}/404`, { waitUntil: 'commit' });
    if (!(await isRegistered())) return [];
    await page.goto(site.origin + address, { waitUntil: 'commit' });
    await isReady(page, READY_MS);
    await page.waitForLoadState('load');
    await page.waitForTimeout(1_000);
    if (!(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)))
      return fault('it takes the service worker away');
    await context.setOffline(true);
    const shown = await page.goto(site.origin + address, { waitUntil: 'commit' }).then(
      () => true,
      () => false,
    );
    if (!shown) return fault('nothing opens without a connection');
    // In another tab: a site's page for times without a connection may load itself again as soon as there is one.
    await page.close();
    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto(site.origin + address, { waitUntil: 'commit' });
    return (await isReady(again, READY_MS)) ? [] : fault('the page is not ready after a time without a connection');
  };
  try {
    const found = await unlessItHangs(page, hangMs, look);
    return found === 'hangs' ? fault('the main thread does not answer any more') : found;
  } catch (error) {
    return fault(messageOf(error));
  } finally {
    await context.close();
  }
}

const answers = (url: URL): Promise<boolean> =>
  new Promise((resolve) => {
    const request = requestTo(url, {}, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200 && /javascript/.test(String(answer.headers['content-type'])));
    });
    request.on('error', () => resolve(false));
    request.end();
  });
