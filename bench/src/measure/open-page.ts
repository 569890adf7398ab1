/** One cold visit with a new browser context and a slowed processor, and the browser's measurements of it. */
import type { Browser, Request } from 'playwright-core';
import { phone } from '../../../e2e/src/browser';
import type { SignedIn } from '../rig/shop';

export interface MeasuredRoute {
  path: string;
  signedIn?: boolean;
  /** Selector of content that comes with the page's data. */
  content: string;
}

interface ProbeResult {
  lcpMs: number;
  lcpElement: string;
  /** 0 until then. */
  interactiveMs: number;
  /** Sum of all layout shifts. It is an upper bound for the browser's CLS, which covers only the worst few seconds. */
  shift: number;
}

interface ProbeWindow {
  benchProbe: ProbeResult;
}

export const cpuSlowdown = 4;

export interface Visit extends ProbeResult {
  /** On the wire, headers included, of the requests that were sent before the page was interactive, prefetches included. */
  kilobytes: number;
  /** A digest of the page's content: both compositions must show the same. */
  shown: string;
}

export async function visit(browser: Browser, origin: string, route: MeasuredRoute, user: SignedIn): Promise<Visit> {
  const context = await browser.newContext({ viewport: phone, ignoreHTTPSErrors: true, locale: 'zh-CN' });
  context.setDefaultTimeout(45_000);
  try {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    const requests: Request[] = [];
    page.on('request', (request) => {
      // The browser chooses when to send beacons, so they belong to no visit.
      if (request.url().startsWith(origin) && request.resourceType() !== 'ping') requests.push(request);
    });
    // The loader that runs these scripts wraps named functions in the helper `__name`, which browsers lack.
    await page.addInitScript('globalThis.__name ??= (target) => target');
    await page.addInitScript(installProbe, { content: route.content, quietMs: 500 });
    if (route.signedIn) {
      await context.addCookies([{ ...user.cookie, url: origin, httpOnly: true, secure: true, sameSite: 'Lax' }]);
      await page.addInitScript((value) => localStorage.setItem('token', value), user.token);
    }
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });

    await page.goto(origin + route.path.replace(':id', user.order), { waitUntil: 'commit' });
    const isInteractive = () => (window as unknown as ProbeWindow).benchProbe.interactiveMs > 0;
    await page.waitForFunction(isInteractive, undefined, { polling: 100 }).catch((error: Error) => {
      faults.push(error.message);
    });
    if (faults.length > 0) throw new Error(`${route.path}: ${faults.join('; ')}`);
    await page.waitForLoadState('networkidle');

    const result = await page.evaluate(() => (window as unknown as ProbeWindow).benchProbe);
    const sentAt = (request: Request | undefined) => request?.timing().startTime ?? 0;
    const before = requests.filter((request) => sentAt(request) - sentAt(requests[0]) <= result.interactiveMs);
    const sizes = await Promise.all(before.map(bytesOf));
    return {
      ...result,
      kilobytes: sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000,
      shown: await page.evaluate(describe),
    };
  } finally {
    await context.close();
  }
}

async function bytesOf(request: Request): Promise<number> {
  if (!(await request.response())) return 0;
  const { responseHeadersSize, responseBodySize } = await request.sizes();
  return responseHeadersSize + responseBodySize;
}

/**
 * Texts and counts cover the whole page, but images only the first screen, because the others render when they come near. Digits
 * may change (clocks), so they are ignored.
 */
function describe(): string {
  const text = (document.getElementById('root')?.textContent ?? '').replace(/\d+/g, '#').replace(/\s+/g, ' ');
  const count = (selector: string) => document.querySelectorAll(`#root ${selector}`).length;
  return JSON.stringify({
    links: count('a'),
    buttons: count('button'),
    pictures: [...document.querySelectorAll('#root img')].filter((picture) => {
      const { top, left, right } = picture.getBoundingClientRect();
      return top < window.innerHeight && left < window.innerWidth && right > 0;
    }).length,
    headings: count('h1,h2,h3'),
    text,
  });
}

/**
 * Interactive is the time from which the content is present and hydrated and no task over 50 ms has run for `quietMs`. It is the
 * later of two times: when React hydrated the content, and the end of the last long task before that quiet period. The function is
 * sent as text, so it must not reference anything outside itself.
 */
function installProbe({ content, quietMs }: { content: string; quietMs: number }): void {
  const result: ProbeResult = { lcpMs: 0, lcpElement: '', interactiveMs: 0, shift: 0 };
  (window as unknown as ProbeWindow).benchProbe = result;
  let contentMs = 0;
  let lastLongTaskEnd = 0;
  type Entry = PerformanceEntry & { size: number; element?: Element; value: number };
  const observe = (type: string, see: (entry: Entry) => void) =>
    new PerformanceObserver((list) => (list.getEntries() as Entry[]).forEach(see)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime, element, size }) => {
    result.lcpMs = startTime;
    result.lcpElement = `${element?.tagName.toLowerCase()}.${element?.className} ${size}`;
  });
  observe('layout-shift', ({ value }) => {
    result.shift += value;
  });
  observe('longtask', ({ startTime, duration }) => {
    lastLongTaskEnd = Math.max(lastLongTaskEnd, startTime + duration);
  });

  // A server-rendered document has its content long before its handlers. React adds this property to each hydrated element.
  const isHydrated = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactFiber$'));
  const waitForQuiet = () => {
    const from = Math.max(contentMs, lastLongTaskEnd);
    // A running task delays this timer, and its entry arrives before the next check.
    if (performance.now() - from >= quietMs) result.interactiveMs = from;
    else setTimeout(waitForQuiet, 50);
  };
  // A MutationObserver does not report React's properties, so this polls.
  const waitForContent = () => {
    const elements = [...document.querySelectorAll(content)];
    if (elements.length === 0 || !elements.every(isHydrated)) return setTimeout(waitForContent, 25);
    contentMs = performance.now();
    return setTimeout(waitForQuiet, quietMs);
  };
  waitForContent();
}
