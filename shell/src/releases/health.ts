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
  navigator.sendBeacon?.('/api/health/report', new Blob([body], { type: 'application/json' }));
}

/** Web vitals of this document, of the remote that it was opened at. The library comes when nothing else wants the line. */
export function reportVitals(of: () => { name: string; version: string; page: string } | null): void {
  const start = async () => {
    const { onCLS, onINP, onLCP } = await import('web-vitals');
    const opened = of();
    if (!opened) return;
    const take = (metric: { name: string; value: number }) =>
      report({ ...opened, kind: 'vital', metric: metric.name as 'LCP' | 'INP' | 'CLS', value: metric.value });
    onLCP(take);
    onINP(take);
    onCLS(take);
  };
  const soon = () => void start().catch(() => {});
  if ('requestIdleCallback' in window) window.requestIdleCallback(soon, { timeout: 8_000 });
  else setTimeout(soon, 3_000);
}
