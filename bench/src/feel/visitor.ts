/** The measured shop, its visitors and the figures, which the parts of `bench:feel` share. */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Shop } from '../../../e2e/src/shop';
import { signInWithToken } from '../../../e2e/src/steps';

export const phone = { width: 390, height: 844 };
/** The factor by which the visitor's processor is slowed. */
export const slowdown = 4;

export interface Figure {
  what: string;
  value: number;
  goal: number;
  /** `floor` is a ratio to the time of the same gesture on a page with one button and one paragraph, in the same run. */
  unit: 'ms' | 'floor';
  /** The number of samples and other details. */
  of: string;
}

export interface Rig {
  shop: Shop;
  browser: Browser;
  /** The demo account's session, as the shell stores it. */
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

/** Opens a new context on a phone with a slowed processor and touch. */
export async function open(rig: Rig, options: Options = {}): Promise<Visitor> {
  const { signedIn = false, url = rig.shop.url, ...more } = options;
  const context = await rig.browser.newContext({
    baseURL: url,
    viewport: phone,
    hasTouch: true,
    locale: 'zh-CN',
    ...more,
  });
  // The loader that runs these scripts wraps named functions in a helper, which the browser does not have.
  await context.addInitScript('globalThis.__name ??= (target) => target');
  const page = await context.newPage();
  // The visitor has dismissed the coupon, because its prompt would open during a measured change.
  if (signedIn) await signInWithToken(page, rig.shop, rig.token);
  page.setDefaultTimeout(30_000);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return { context, page, cdp };
}

/** An interface of Chromium. */
export interface Scheduler {
  postTask(run: () => void, options: { priority: 'user-blocking' }): Promise<void>;
}

export interface PageChange {
  /** ms from the tap to the first frame that marks the control as active. */
  pressed: number;
  /** ms from the tap to the first frame that shows the requested content. */
  shown: number;
}

/**
 * Taps a control and resolves to when it was answered. A time begins at the browser's own time stamp of the input, and ends
 * with an urgent task that was posted from the frame's own callback: the browser runs it as the first one after that frame
 * has been laid out, painted and handed to the compositor.
 */
export async function change(page: Page, link: string, ready: string): Promise<PageChange> {
  const place = await page.evaluate(
    ([link, ready]) => {
      const isSeen = (selector: string) =>
        [...document.querySelectorAll(selector)].some((element) => element.checkVisibility());
      const target = [...document.querySelectorAll(link)].find((element) => element.checkVisibility());
      if (!target) throw new Error(`no ${link} to press`);
      const answered = new Promise<{ pressed: number; shown: number }>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${ready} was not shown after ${link}`)), 15_000);
        const onClick = ({ timeStamp }: Event) => {
          const afterPaint = (run: () => void) =>
            void (window as never as { scheduler: Scheduler }).scheduler.postTask(run, { priority: 'user-blocking' });
          let pressed = 0;
          const look = () => {
            const shown = isSeen(ready);
            if (shown) {
              afterPaint(() => {
                clearTimeout(late);
                const now = performance.now() - timeStamp;
                resolve({ pressed: pressed || now, shown: now });
              });
              return;
            }
            if (!pressed && isSeen(`${link}:is([data-pressed], [aria-current="page"])`)) {
              afterPaint(() => {
                pressed ||= performance.now() - timeStamp;
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

/** The tabs, each with an element that its page shows once the content is rendered. */
export const stops = [
  { link: 'a[href="/order"]', ready: 'main a[href^="/order/detail/"]', remote: 'orders' },
  { link: 'a[href="/user"]', ready: 'main .account-card__amount', remote: 'account' },
  { link: 'a[href="/home"]', ready: 'main section.catalog-module', remote: 'catalog' },
] as const;
export const home = stops[2];

/** Opens /home and waits until its content is hydrated; the document shows it before the scripts run. */
export async function goHome(page: Page): Promise<void> {
  await page.goto('/home');
  await page.waitForFunction(
    ([...needed]) =>
      needed.every((selector) => {
        const element = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
        // React marks the elements that it has hydrated.
        return element && Object.keys(element).some((key) => key.startsWith('__reactFiber$'));
      }),
    [home.ready, home.link],
  );
}
