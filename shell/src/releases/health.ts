/**
 * What the shell reports of a release: load failures and render errors, per remote and version. No personal data: no
 * address query, no user, no stack. Batched and sent with sendBeacon; the server limits and validates.
 */
export interface HealthEvent {
  name: string;
  version: string;
  kind: 'load' | 'render' | 'visit';
  page: string;
  recovered?: boolean;
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

export function reportPageError(failure: { name: string; version: string; page: string; error: unknown }): void {
  report({ name: failure.name, version: failure.version, kind: 'render', page: failure.page });
}
