/** One cold visit with a new browser context and a slowed processor, and the browser's measurements of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { installProbe, type ProbeResult, type ProbeWindow } from './page-probe';
import type { MeasuredRoute } from './routes';
import type { SignedIn } from './sign-in';

export const visitSettings = {
  cpuSlowdown: 4,
  quietMs: 500,
  viewport: { width: 390, height: 844 },
  timeoutMs: 45_000,
};

export interface Visit extends ProbeResult {
  /** Bytes on the wire: headers and compressed bodies. */
  bytes: number;
  /** Of the requests that were sent before the page was interactive, prefetches included. */
  kilobytesUntilInteractive: number;
  /**
   * Requests on the critical path: the longest chain, up to the largest paint, in which each request was sent after the previous
   * response. Each one is a round trip of any size.
   */
  criticalRequests: number;
  /** A digest of the page's content: both compositions must show the same. */
  shown: string;
}

/** The network counts as idle after this many ms without a request in flight. */
const idleMs = 400;

export async function visit(browser: Browser, origin: string, route: MeasuredRoute, user: SignedIn): Promise<Visit> {
  const context = await browser.newContext({
    viewport: visitSettings.viewport,
    ignoreHTTPSErrors: true,
    locale: 'zh-CN',
  });
  try {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    // The loader that runs these scripts wraps named functions in the helper `__name`, which browsers lack.
    await page.addInitScript('globalThis.__name ??= (target) => target');
    await page.addInitScript(installProbe, { ready: route.ready, quietMs: visitSettings.quietMs });
    if (route.signedIn) {
      await context.addCookies([{ ...user.cookie, url: origin, httpOnly: true, secure: true, sameSite: 'Lax' }]);
      await page.addInitScript((value) => localStorage.setItem('token', value), user.token);
    }

    const cdp = await context.newCDPSession(page);
    const requests = new Map<string, { sentAt: number; doneAt: number; bytes: number }>();
    const underWay = new Set<string>();
    let lastEvent = performance.now();
    const finish = (id: string, bytes: number, timestamp: number) => {
      const request = requests.get(id);
      if (request) Object.assign(request, { bytes: Math.max(bytes, 0), doneAt: timestamp });
      underWay.delete(id);
      lastEvent = performance.now();
    };
    cdp.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp }) => {
      // The browser chooses when to send beacons, so they belong to no visit.
      if (!/^https?:/.test(request.url) || type === 'Ping') return;
      requests.set(requestId, { sentAt: timestamp, doneAt: Number.POSITIVE_INFINITY, bytes: 0 });
      underWay.add(requestId);
      lastEvent = performance.now();
    });
    cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) =>
      finish(requestId, encodedDataLength, timestamp),
    );
    cdp.on('Network.loadingFailed', ({ requestId, timestamp }) => finish(requestId, 0, timestamp));
    await cdp.send('Network.enable');
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: visitSettings.cpuSlowdown });

    await page.goto(origin + route.path.replace(':id', user.order), {
      waitUntil: 'commit',
      timeout: visitSettings.timeoutMs,
    });
    await within(
      visitSettings.timeoutMs,
      page.evaluate(() => (window as unknown as ProbeWindow).benchProbe.interactive),
      () =>
        `${route.path} was not interactive in ${visitSettings.timeoutMs} ms; ${faults.join('; ') || 'no script error'}`,
    );
    const limit = performance.now() + visitSettings.timeoutMs;
    while ((underWay.size > 0 || performance.now() - lastEvent < idleMs) && performance.now() < limit) await pause(50);

    const result = await page.evaluate(() => (window as unknown as ProbeWindow).benchProbe.result());
    if (faults.length > 0) throw new Error(`${route.path}: ${faults.join('; ')}`);
    const all = [...requests.values()];
    const start = all[0]?.sentAt ?? 0;
    const sum = (list: typeof all) => list.reduce((total, { bytes }) => total + bytes, 0);
    const before = all.filter(({ sentAt }) => (sentAt - start) * 1000 <= result.interactiveMs);
    return {
      ...result,
      bytes: sum(all),
      kilobytesUntilInteractive: sum(before) / 1000,
      criticalRequests: longestChain(all.filter(({ sentAt }) => (sentAt - start) * 1000 <= result.lcpMs)),
      shown: await page.evaluate(describe),
    };
  } finally {
    await context.close();
  }
}

/** `requests` are in the order in which they were sent. */
function longestChain(requests: ReadonlyArray<{ sentAt: number; doneAt: number }>): number {
  const lengths: number[] = [];
  requests.forEach(({ sentAt }, index) => {
    const earlier = requests.slice(0, index).map(({ doneAt }, at) => (doneAt <= sentAt ? (lengths[at] ?? 0) : 0));
    lengths.push(1 + Math.max(0, ...earlier));
  });
  return Math.max(0, ...lengths);
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

function within<T>(milliseconds: number, promise: Promise<T>, message: () => string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message())), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
