/**
 * Health reports per remote and version, batched and sent with sendBeacon. They carry no personal data: no query string,
 * no user, no stack.
 */
import { natives } from '../platform/natives';

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

const url = '/api/health/report';
const flushAfterMs = 2_000;
/** The server's limit. */
const maxBatch = 20;
let queue: HealthEvent[] = [];
let timer: number | undefined;

export function report(event: HealthEvent): void {
  if (queue.length >= maxBatch) return;
  queue.push(event);
  timer ??= natives.setTimeout(flush, flushAfterMs);
}

export function flush(): void {
  natives.clearTimeout(timer);
  timer = undefined;
  if (queue.length === 0) return;
  const body = JSON.stringify({ events: queue });
  queue = [];
  if (natives.sendBeacon(url, new Blob([body], { type: 'application/json' }))) return;
  const headers = { 'content-type': 'application/json' };
  void natives.fetch(url, { method: 'POST', body, headers, keepalive: true, credentials: 'omit' }).catch(() => {});
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

/** Share of documents that report web vitals. Visits and failures are not sampled: a canary is judged by fifty visits. */
const vitalsSampleRate = 0.25;
const vitalsDelayMs = 3_000;

/** Reports web vitals for the remote at which the document was opened. The library loads when the browser is idle. */
export function reportVitals(
  opened: { name: string; version: string; page: string } | null,
  random: () => number = Math.random,
): void {
  if (!opened || random() >= vitalsSampleRate) return;
  const start = async () => {
    const { onCLS, onINP, onLCP } = await import('web-vitals');
    const reportMetric = (metric: { name: string; value: number }) =>
      report({ ...opened, kind: 'vital', metric: metric.name as 'LCP' | 'INP' | 'CLS', value: metric.value });
    onLCP(reportMetric);
    onINP(reportMetric);
    onCLS(reportMetric);
  };
  const startSafely = () => void start().catch(() => {});
  const startWhenIdle = () => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(startSafely, { timeout: 8_000 });
    else natives.setTimeout(startSafely, vitalsDelayMs);
  };
  // A preload that hangs delays the load event for ever.
  let isStarted = false;
  const once = () => {
    if (isStarted) return;
    isStarted = true;
    startWhenIdle();
  };
  natives.listen(window, 'load', once, { once: true });
  natives.setTimeout(once, 4 * vitalsDelayMs);
}
