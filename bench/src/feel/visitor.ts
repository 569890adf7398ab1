import type { Browser, CDPSession, Page } from 'playwright-core';
import { phone } from '../../../e2e/src/browser';
import { signInWithToken } from '../../../e2e/src/steps';
import type { SignedIn } from '../rig/shop';

/** CPU throttling of a visitor whose times are measured: how many times slower than this machine. */
export const slowdown = 4;

/** The shop itself, or the single-page application of the same source. */
export interface Site {
  url: string;
  /** The same site behind the slow line. */
  slowUrl: string;
  /** Address of the shop's server without a front. */
  server: string;
  browser: Browser;
  user: SignedIn;
  /** Times need a slow processor. Processor time is measured without, because the throttling itself uses the main thread. */
  isThrottled?: boolean;
  /** From each tap of throttled visitors to the next paint, ms. */
  interactions: number[];
}

export interface Change {
  /** From the input to the end of the first frame that shows the wanted content, ms. For other parts their only value. */
  shown: number;
  /** Longest frame, ms. */
  frame: number;
  /** Processor time of the main thread in ms, in the order of `cpuKinds`; empty for a throttled visitor. */
  cpu: number[];
}

export interface Tab {
  site: Site;
  page: Page;
  cdp: CDPSession;
}

export async function open(site: Site, { signedIn = false } = {}): Promise<Tab> {
  const context = await site.browser.newContext({
    baseURL: site.url,
    viewport: phone,
    hasTouch: true,
    locale: 'zh-CN',
    ignoreHTTPSErrors: true,
  });
  // The loader that runs these scripts wraps named functions in the helper `__name`, which browsers lack.
  await context.addInitScript('globalThis.__name ??= (target) => target');
  await context.addInitScript(watch, unreported);
  const page = await context.newPage();
  // The coupon prompt is postponed; otherwise it would open during a measured change.
  if (signedIn) {
    await signInWithToken(page, { url: site.server }, site.user.token);
    await context.addCookies([{ ...site.user.cookie, url: site.url, httpOnly: true, secure: true, sameSite: 'Lax' }]);
  }
  page.setDefaultTimeout(30_000);
  const cdp = await context.newCDPSession(page);
  if (site.isThrottled) await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  else await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { site, page, cdp };
}

/** Event Timing reports no event below 16 ms, and Long Animation Frames no frame below 50. */
const unreported = { tap: 8, frame: 50 };

type Observed = typeof unreported;
export type BenchWindow = Window & { benchObserved: Observed; benchShown: Promise<number>; scheduler: Scheduler };

function watch(least: Observed): void {
  const observed = { ...least };
  Object.assign(window, { benchObserved: observed });
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries() as Array<PerformanceEntry & { interactionId: number }>)
      if (interactionId) observed.tap = Math.max(observed.tap, duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) observed.frame = Math.max(observed.frame, duration);
  }).observe({ type: 'long-animation-frame' });
}

/** Seconds of the main thread's processor time since the page was opened, by kind. */
const cpuKinds = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const;

interface Scheduler {
  postTask(run: () => void, options: { priority: 'user-blocking' }): Promise<void>;
}

/** Effects that follow the content, such as those of a kept-alive page, belong to the change. */
const settleMs = 150;

/**
 * Taps a control and waits for what it shows. The time starts at the browser's timestamp of the input. It ends with a user-blocking task
 * that the frame's own callback posts, because the browser runs that task first after it has laid out, painted and committed the frame.
 */
export async function change(tab: Tab, control: string, ready: string, settle = settleMs): Promise<Change> {
  const { page, site } = tab;
  const place = await page.evaluate(
    ([control, ready, least]) => {
      const bench = window as never as BenchWindow;
      const seen = (selector: string) =>
        [...document.querySelectorAll(selector)].find((element) => element.checkVisibility());
      const target = seen(control);
      if (!target) throw new Error(`no ${control} to tap`);
      bench.benchShown = new Promise<number>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${ready} was not shown after ${control}`)), 15_000);
        const onClick = ({ timeStamp }: Event) => {
          const look = () => {
            if (!seen(ready)) {
              requestAnimationFrame(look);
              return;
            }
            clearTimeout(late);
            const finish = () => resolve(performance.now() - timeStamp);
            void bench.scheduler.postTask(finish, { priority: 'user-blocking' });
          };
          requestAnimationFrame(look);
        };
        window.addEventListener('click', onClick, { capture: true, once: true });
      });
      bench.benchShown.catch(() => {});
      Object.assign(bench.benchObserved, least);
      const { x, y, width, height } = target.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    },
    [control, ready, unreported] as const,
  );
  const before = await metricsOf(tab, cpuKinds);
  await page.touchscreen.tap(place.x, place.y);
  const shown = await page.evaluate(() => (window as never as BenchWindow).benchShown);
  await page.waitForTimeout(settle);
  const after = await metricsOf(tab, cpuKinds);
  const { tap, frame } = await page.evaluate(() => (window as never as BenchWindow).benchObserved);
  if (site.isThrottled) site.interactions.push(tap);
  return { shown, frame, cpu: after.map((seconds, index) => (seconds - (before[index] ?? 0)) * 1000) };
}

/** Empty for a throttled visitor. */
export async function metricsOf({ cdp, site }: Tab, names: readonly string[]): Promise<number[]> {
  if (site.isThrottled) return [];
  const { metrics } = await cdp.send('Performance.getMetrics');
  return names.map((name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN);
}

export const tabs = [
  { link: 'a[href="/order"]', ready: 'main a[href^="/order/detail/"]', remote: 'orders' },
  { link: 'a[href="/user"]', ready: 'main .account-card__amount', remote: 'account' },
  { link: 'a[href="/home"]', ready: 'main section.catalog-module', remote: 'catalog' },
] as const;

/** Opens an address and waits until the elements are hydrated. A document may have its content before the scripts run. */
export async function goTo(page: Page, address: string, ...needed: string[]): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(
    (needed) =>
      needed.every((selector) => {
        const element = [...document.querySelectorAll(selector)].find((candidate) => candidate.checkVisibility());
        // React adds this property to each hydrated element.
        return element && Object.keys(element).some((key) => key.startsWith('__reactFiber$'));
      }),
    needed,
  );
}

export const goHome = (page: Page) => goTo(page, '/home', tabs[2].ready, tabs[2].link);
