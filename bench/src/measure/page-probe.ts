export interface ProbeResult {
  firstPaintMs: number;
  lcpMs: number;
  lcpElement: string;
  interactiveMs: number;
  /** Sum of all layout shifts. It is an upper bound for the browser's CLS, which covers only the worst few seconds. */
  shift: number;
}

export interface ProbeWindow {
  benchProbe: { interactive: Promise<void>; result(): ProbeResult };
}

export interface Expectation {
  selector: string;
  atLeast: number;
}

/**
 * Interactive is the time from which the content is present and hydrated and no task over 50 ms has run for `quietMs`. It is the
 * later of two times: when React hydrated the content, and the end of the last long task before that quiet period. The function is
 * sent as text, so it must not reference anything outside itself.
 */
export function installProbe({ ready, quietMs }: { ready: Expectation[]; quietMs: number }): void {
  const result: ProbeResult = { firstPaintMs: 0, lcpMs: 0, lcpElement: '', interactiveMs: 0, shift: 0 };
  let contentMs = 0;
  let lastLongTaskEnd = 0;

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name === 'first-contentful-paint') result.firstPaintMs = entry.startTime;
  }).observe({ type: 'paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Array<PerformanceEntry & { size: number; element?: Element }>) {
      result.lcpMs = entry.startTime;
      const { element } = entry;
      result.lcpElement = element
        ? `${element.tagName.toLowerCase()}.${element.className} ${entry.size}`
        : String(entry.size);
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries() as Array<PerformanceEntry & { value: number }>) result.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      lastLongTaskEnd = Math.max(lastLongTaskEnd, entry.startTime + entry.duration);
  }).observe({ type: 'longtask', buffered: true });

  const isThere = () => ready.every(({ selector, atLeast }) => document.querySelectorAll(selector).length >= atLeast);
  // A server-rendered document has its content long before its handlers. React adds this property to each hydrated element.
  const isHydrated = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactFiber$'));
  const answers = () =>
    isThere() && ready.every(({ selector }) => [...document.querySelectorAll(selector)].every(isHydrated));

  const interactive = new Promise<void>((resolve) => {
    const waitForQuiet = () => {
      const from = Math.max(contentMs, lastLongTaskEnd);
      // A running task delays this timer, and its entry arrives before the next check.
      if (performance.now() - from >= quietMs) {
        result.interactiveMs = from;
        resolve();
      } else setTimeout(waitForQuiet, 50);
    };
    // A MutationObserver does not report React's properties, so this polls.
    const waitForContent = () => {
      if (!answers()) return setTimeout(waitForContent, 25);
      contentMs = performance.now();
      return setTimeout(waitForQuiet, quietMs);
    };
    waitForContent();
  });
  (window as unknown as ProbeWindow).benchProbe = { interactive, result: () => ({ ...result }) };
}
