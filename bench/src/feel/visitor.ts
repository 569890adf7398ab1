import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { phone } from '../../../e2e/src/browser';
import { signInWithToken } from '../../../e2e/src/steps';
import type { SignedIn } from '../measure/sign-in';

/** CPU throttling of a visitor whose times are measured: how many times slower than this machine. */
export const slowdown = 4;

/** Where a visitor opens the shop: the shop itself, or the single-page application of the same source. */
export interface Site {
  url: string;
  /** The same site behind the slow line. */
  slowUrl: string;
}

export interface Rig {
  browser: Browser;
  user: SignedIn;
  /** The address of the server, for calls before a visit. */
  shop: { url: string };
}

/** Seconds of the main thread's processor time since the page was opened, by kind. */
const cpuKinds = ['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const;

export interface Tab {
  page: Page;
  context: BrowserContext;
  cdp: CDPSession;
  isThrottled: boolean;
}

interface TabOptions {
  signedIn?: boolean;
  /** Times need a slow processor. Processor time is measured without, because throttling itself uses the main thread. */
  isThrottled?: boolean;
}

export async function open(
  rig: Rig,
  url: string,
  { signedIn = false, isThrottled = true }: TabOptions = {},
): Promise<Tab> {
  const context = await rig.browser.newContext({
    baseURL: url,
    viewport: phone,
    hasTouch: true,
    locale: 'zh-CN',
    ignoreHTTPSErrors: true,
  });
  // The loader that runs these scripts wraps named functions in the helper `__name`, which browsers lack.
  await context.addInitScript('globalThis.__name ??= (target) => target');
  await context.addInitScript(watch);
  const page = await context.newPage();
  // The coupon prompt is postponed; otherwise it would open during a measured change.
  if (signedIn) await signInWithToken(page, rig.shop, rig.user.token);
  page.setDefaultTimeout(30_000);
  const cdp = await context.newCDPSession(page);
  if (isThrottled) await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  else await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { page, context, cdp, isThrottled };
}

interface Observed {
  /** Longest event of each interaction, from the input to the next paint, ms (Event Timing). */
  interactions: Record<number, number>;
  /** Start and duration of each frame over 50 ms (Long Animation Frames). */
  frames: Array<{ start: number; duration: number }>;
}

function watch(): void {
  const observed: Observed = { interactions: {}, frames: [] };
  Object.assign(window, { benchObserved: observed });
  const { interactions, frames } = observed;
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries() as Array<PerformanceEntry & { interactionId: number }>)
      if (interactionId) interactions[interactionId] = Math.max(interactions[interactionId] ?? 0, duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) frames.push({ start: startTime, duration });
  }).observe({ type: 'long-animation-frame' });
}

export const observedIn = (page: Page): Promise<Observed> =>
  page.evaluate(() => (window as never as { benchObserved: Observed }).benchObserved);

export interface Change {
  /** From the input to the end of the first frame that shows the wanted content, ms. */
  shown: number;
  /** Processor time of the main thread in ms, in the order of `cpuKinds`; empty for a throttled visitor. */
  cpu: number[];
}

interface Scheduler {
  postTask(run: () => void, options: { priority: 'user-blocking' }): Promise<void>;
}

/** Effects that follow the content, such as those of a kept-alive page, belong to the change. */
const settleMs = 150;

/**
 * Taps a control and waits for what it shows. The time starts at the browser's timestamp of the input. It ends with a user-blocking task
 * that the frame's own callback posts, because the browser runs that task first after it has laid out, painted and committed the frame.
 */
export async function change(tab: Tab, control: string, ready: string): Promise<Change> {
  const { page } = tab;
  const place = await page.evaluate(
    ([control, ready]) => {
      const seen = (selector: string) =>
        [...document.querySelectorAll(selector)].find((element) => element.checkVisibility());
      const target = seen(control);
      if (!target) throw new Error(`no ${control} to tap`);
      const shown = new Promise<number>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${ready} was not shown after ${control}`)), 15_000);
        const onClick = ({ timeStamp }: Event) => {
          const look = () => {
            if (!seen(ready)) {
              requestAnimationFrame(look);
              return;
            }
            clearTimeout(late);
            const finish = () => resolve(performance.now() - timeStamp);
            void (window as never as { scheduler: Scheduler }).scheduler.postTask(finish, {
              priority: 'user-blocking',
            });
          };
          requestAnimationFrame(look);
        };
        window.addEventListener('click', onClick, { capture: true, once: true });
      });
      shown.catch(() => {});
      Object.assign(window, { benchShown: shown });
      const { x, y, width, height } = target.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    },
    [control, ready] as const,
  );
  const before = await cpuOf(tab);
  await page.touchscreen.tap(place.x, place.y);
  const shown = await page.evaluate(() => (window as never as { benchShown: Promise<number> }).benchShown);
  await page.waitForTimeout(settleMs);
  const after = await cpuOf(tab);
  return { shown, cpu: after.map((seconds, index) => (seconds - (before[index] ?? 0)) * 1000) };
}

async function cpuOf({ cdp, isThrottled }: Tab): Promise<number[]> {
  if (isThrottled) return [];
  const { metrics } = await cdp.send('Performance.getMetrics');
  return cpuKinds.map((kind) => metrics.find(({ name }) => name === kind)?.value ?? Number.NaN);
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
