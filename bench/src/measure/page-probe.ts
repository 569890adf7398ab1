/**
 * Runs in the page before its scripts and records largest paints, long tasks, and the moment when the main content is ready. It is
 * sent as text, so it must use nothing from outside the function.
 */
export interface ProbeResult {
  firstPaintMs: number;
  lcpMs: number;
  /** Tag, class and size of the painted element, which shows whether both variants paint the same one. */
  lcpElement: string;
  contentMs: number;
  interactiveMs: number;
  /** Sum of all layout shifts: at least the browser's CLS, which takes the worst few seconds. */
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
 * Interactive is the moment from which the content answers a click and no task over 50 ms runs for `quietMs`: the later of the
 * hydration of the content and the end of the last long task before such a quiet time.
 */
export function installProbe({ ready, quietMs }: { ready: Expectation[]; quietMs: number }): void {
  const result: ProbeResult = {
    firstPaintMs: 0,
    lcpMs: 0,
    lcpElement: '',
    contentMs: 0,
    interactiveMs: 0,
    shift: 0,
  };
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
  // A rendered document has its content long before its handlers; React marks the elements that it has hydrated.
  const isTakenOver = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactFiber$'));
  const answers = () =>
    isThere() && ready.every(({ selector }) => [...document.querySelectorAll(selector)].every(isTakenOver));

  const interactive = new Promise<void>((resolve) => {
    const waitForQuiet = () => {
      const from = Math.max(result.contentMs, lastLongTaskEnd);
      // A running task delays this timer, and its entry arrives before the next check.
      if (performance.now() - from >= quietMs) {
        result.interactiveMs = from;
        resolve();
      } else setTimeout(waitForQuiet, 50);
    };
    // React's properties of an element cause no mutation record, so the probe polls.
    const waitForContent = () => {
      if (!answers()) return setTimeout(waitForContent, 25);
      result.contentMs = performance.now();
      return setTimeout(waitForQuiet, quietMs);
    };
    waitForContent();
  });
  (window as unknown as ProbeWindow).benchProbe = { interactive, result: () => ({ ...result }) };
}
