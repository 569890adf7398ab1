/**
 * What the shell reports of a release: load failures and render errors, per remote and version. No personal data: no
 * address query, no user, no stack. Batched and sent with sendBeacon; the server limits and validates.
 */
export interface HealthEvent {
  name: string;
  version: string;
  kind: 'load' | 'render' | 'visit' | 'vital';
  page: string;
  recovered?: boolean;
  /** With kind 'vital'; milliseconds, or for CLS the score. */
  metric?: 'LCP' | 'INP' | 'CLS';
  value?: number;
}

const address = '/api/health/report';
const flushAfterMs = 2_000;
const largestBatch = 20;
let queue: HealthEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

export function report(event: HealthEvent): void {
  if (queue.length >= largestBatch) return;
  queue.push(event);
  timer ??= setTimeout(flush, flushAfterMs);
}

export function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  if (queue.length === 0) return;
  const body = JSON.stringify({ events: queue });
  queue = [];
  const sent = navigator.sendBeacon?.(address, new Blob([body], { type: 'application/json' }));
  if (sent) return;
  // Without beacons, or with the browser's queue of them full.
  const headers = { 'content-type': 'application/json' };
  void fetch(address, { method: 'POST', body, headers, keepalive: true, credentials: 'omit' }).catch(() => {});
}

/** Reports for the shell that runs: the document's, or the previous release that replaced it. */
export function reportShell(kind: HealthEvent['kind'], recovered: boolean): void {
  const { shell, rescued } = document.documentElement.dataset;
  const version = rescued ?? shell;
  if (version) report({ name: 'shell', version, kind, page: './main', recovered });
}

/** A fallback shell is not counted: the visit belongs to the shell that failed. */
export function reportShellVisit(): void {
  if (document.documentElement.dataset.rescued === undefined) reportShell('visit', false);
}

/** The share of documents that report web vitals: percentiles need some visitors, not all of them. */
const vitalsShare = 0.25;
const vitalsAfterMs = 3_000;

/**
 * Web vitals of this document, of the remote that it was opened at. The library comes when nothing else wants the line.
 * Visits and failures are not sampled: a fresh release is judged by fifty visits.
 */
export function reportVitals(
  opened: { name: string; version: string; page: string } | null,
  random: () => number = Math.random,
): void {
  if (!opened || random() >= vitalsShare) return;
  const start = async () => {
    const { onCLS, onINP, onLCP } = await import('web-vitals');
    const take = (metric: { name: string; value: number }) =>
      report({ ...opened, kind: 'vital', metric: metric.name as 'LCP' | 'INP' | 'CLS', value: metric.value });
    onLCP(take);
    onINP(take);
    onCLS(take);
  };
  const soon = () => void start().catch(() => {});
  const whenIdle = () => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(soon, { timeout: 8_000 });
    else setTimeout(soon, vitalsAfterMs);
  };
  // The load event waits for every preload, and one that hangs keeps it from ever coming.
  let isStarted = false;
  const once = () => {
    if (isStarted) return;
    isStarted = true;
    whenIdle();
  };
  window.addEventListener('load', once, { once: true });
  setTimeout(once, 4 * vitalsAfterMs);
}
