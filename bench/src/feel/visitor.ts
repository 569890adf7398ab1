import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Shop } from '../../../e2e/src/shop';
import { signInWithToken } from '../../../e2e/src/steps';

export const phone = { width: 390, height: 844 };
/** CPU throttling of the visitor: how many times slower than this machine. */
export const slowdown = 4;

export interface Figure {
  what: string;
  value: number;
  goal: number;
  /** `floor` is the ratio to the same gesture on a page with one button and one paragraph, in the same run. */
  unit: 'ms' | 'floor';
  of: string;
}

export interface Rig {
  shop: Shop;
  browser: Browser;
  /** The demo account's token, in the form in which the shell stores it. */
  token: string;
}

interface Visitor {
  context: BrowserContext;
  page: Page;
  cdp: CDPSession;
}

type Options = NonNullable<Parameters<Browser['newContext']>[0]> & {
  signedIn?: boolean;
  url?: string;
};

export async function open(rig: Rig, options: Options = {}): Promise<Visitor> {
  const { signedIn = false, url = rig.shop.url, ...more } = options;
  const context = await rig.browser.newContext({
    baseURL: url,
    viewport: phone,
    hasTouch: true,
    locale: 'zh-CN',
    ...more,
  });
  // The loader that runs these scripts wraps named functions in the helper `__name`, which browsers lack.
  await context.addInitScript('globalThis.__name ??= (target) => target');
  const page = await context.newPage();
  // The coupon prompt is postponed; otherwise it would open during a measured change.
  if (signedIn) await signInWithToken(page, rig.shop, rig.token);
  page.setDefaultTimeout(30_000);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return { context, page, cdp };
}

export interface Scheduler {
  postTask(run: () => void, options: { priority: 'user-blocking' }): Promise<void>;
}

export interface PageChange {
  /** From the tap to the first frame in which the tapped control shows feedback, ms. */
  feedback: number;
  /** From the tap to the first frame that shows the requested content, ms. */
  shown: number;
}

/**
 * Taps a control and resolves to the response times. A time starts at the browser's timestamp of the input. It ends with a
 * user-blocking task that the frame's own callback posts, because the browser runs that task first after it has laid out, painted
 * and committed the frame.
 */
export async function change(page: Page, link: string, ready: string): Promise<PageChange> {
  const place = await page.evaluate(
    ([link, ready]) => {
      const isSeen = (selector: string) =>
        [...document.querySelectorAll(selector)].some((element) => element.checkVisibility());
      const target = [...document.querySelectorAll(link)].find((element) => element.checkVisibility());
      if (!target) throw new Error(`no ${link} to tap`);
      const answered = new Promise<{ feedback: number; shown: number }>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${ready} was not shown after ${link}`)), 15_000);
        const onClick = ({ timeStamp }: Event) => {
          const afterPaint = (run: () => void) =>
            void (window as never as { scheduler: Scheduler }).scheduler.postTask(run, { priority: 'user-blocking' });
          let feedback = 0;
          const look = () => {
            const shown = isSeen(ready);
            if (shown) {
              afterPaint(() => {
                clearTimeout(late);
                const now = performance.now() - timeStamp;
                resolve({ feedback: feedback || now, shown: now });
              });
              return;
            }
            if (!feedback && isSeen(`${link}:is(:active, [aria-current="page"])`)) {
              afterPaint(() => {
                feedback ||= performance.now() - timeStamp;
              });
            }
            requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        };
        window.addEventListener('click', onClick, { capture: true, once: true });
      });
      answered.catch(() => {});
      Object.assign(window, { benchAnswered: answered });
      const { x, y, width, height } = target.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    },
    [link, ready] as const,
  );
  await page.touchscreen.tap(place.x, place.y);
  return page.evaluate(() => (window as never as { benchAnswered: Promise<PageChange> }).benchAnswered);
}

export const stops = [
  { link: 'a[href="/order"]', ready: 'main a[href^="/order/detail/"]', remote: 'orders' },
  { link: 'a[href="/user"]', ready: 'main .account-card__amount', remote: 'account' },
  { link: 'a[href="/home"]', ready: 'main section.catalog-module', remote: 'catalog' },
] as const;
export const home = stops[2];

/** Opens /home and waits until its content is hydrated. The document has the content before the scripts run. */
export async function goHome(page: Page): Promise<void> {
  await page.goto('/home');
  await page.waitForFunction(
    ([...needed]) =>
      needed.every((selector) => {
        const element = [...document.querySelectorAll(selector)].find((candidate) => candidate.checkVisibility());
        // React adds this property to each hydrated element.
        return element && Object.keys(element).some((key) => key.startsWith('__reactFiber$'));
      }),
    [home.ready, home.link],
  );
}
