export interface ProbeResult {
  lcpMs: number;
  lcpElement: string;
  /** 0 until then. */
  interactiveMs: number;
  /** Sum of all layout shifts. It is an upper bound for the browser's CLS, which covers only the worst few seconds. */
  shift: number;
}

export interface ProbeWindow {
  benchProbe: ProbeResult;
}

/**
 * Interactive is the time from which the content is present and hydrated and no task over 50 ms has run for `quietMs`. It is the
 * later of two times: when React hydrated the content, and the end of the last long task before that quiet period. The function is
 * sent as text, so it must not reference anything outside itself.
 */
export function installProbe({ content, quietMs }: { content: string; quietMs: number }): void {
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
