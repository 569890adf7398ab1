/** Makes one cold visit in a new context with a slowed processor, and reads the browser's measurements. */
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
  /** Received bytes: headers and compressed bodies. */
  bytes: number;
  /** Requests sent before the page was interactive, and their bytes, needed or not. */
  requestsUntilInteractive: number;
  bytesUntilInteractive: number;
  /**
   * Requests on the critical path: the longest chain up to the largest paint in which each was sent after the response to the
   * one before. Each of them costs a round trip.
   */
  criticalRequests: number;
  /** The visible content, which must be the same in both variants. */
  shown: string;
}

/** The network counts as idle when no request was in flight for this time. */
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
    // The loader that runs these scripts wraps named functions in a helper, which the browser does not have.
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
      // The browser sends a beacon at any time, so it belongs to no visit.
      if (!/^https?:/.test(request.url) || type === 'Ping') return;
      requests.set(requestId, {
        sentAt: timestamp,
        doneAt: Number.POSITIVE_INFINITY,
        bytes: 0,
      });
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
      requestsUntilInteractive: before.length,
      bytesUntilInteractive: sum(before),
      criticalRequests: longestChain(all.filter(({ sentAt }) => (sentAt - start) * 1000 <= result.lcpMs)),
      shown: await page.evaluate(describe),
    };
  } finally {
    await context.close();
  }
}

/** The length of the longest chain. The requests are in the order of their sending. */
function longestChain(requests: ReadonlyArray<{ sentAt: number; doneAt: number }>): number {
  const lengths: number[] = [];
  requests.forEach(({ sentAt }, index) => {
    const earlier = requests.slice(0, index).map(({ doneAt }, at) => (doneAt <= sentAt ? (lengths[at] ?? 0) : 0));
    lengths.push(1 + Math.max(0, ...earlier));
  });
  return Math.max(0, ...lengths);
}

/**
 * Texts and counts of the whole page, and pictures of the first screen, because others load near the screen only. Digits do not count:
 * clocks change them.
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

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function within<T>(milliseconds: number, promise: Promise<T>, message: () => string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message())), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
