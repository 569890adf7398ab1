/** One cold visit with a new browser context and a slowed processor, and the browser's measurements of it. */
import type { Browser, Request } from 'playwright-core';
import { phone } from '../../../e2e/src/browser';
import { installProbe, type ProbeResult, type ProbeWindow } from './page-probe';
import type { MeasuredRoute } from './routes';
import type { SignedIn } from './sign-in';

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
