import { useEffect, useSyncExternalStore } from 'react';

/** The server's clock, by the `Date` headers of its responses: the clock of a device may be wrong by hours. */

/** `Date` has whole seconds, and a response takes a while. */
const toleranceMs = 1_500;

let offsetMs: number | undefined;
const listeners = new Set<() => void>();

export function recordServerTime(date: unknown): void {
  const next = Date.parse(String(date)) - Date.now();
  if (Number.isNaN(next) || (offsetMs !== undefined && Math.abs(next - offsetMs) <= toleranceMs)) return;
  offsetMs = next;
  for (const listener of listeners) listener();
}

/** Milliseconds to add to this device's clock; undefined before the first response. */
const serverTimeOffset = (): number | undefined => offsetMs;

function subscribeToServerTime(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let isRequested = false;

/** Milliseconds between the server's clock and this device's; undefined before the first response. */
export function useServerTimeOffset(): number | undefined {
  const offset = useSyncExternalStore(subscribeToServerTime, serverTimeOffset, () => undefined);
  useEffect(() => {
    // The page's first answers can come inside the document, without a `Date` header.
    if (offset === undefined && !isRequested) void requestServerTime();
  }, [offset]);
  return offset;
}

/** Sent without the HTTP client, which may not be loaded yet. */
async function requestServerTime(): Promise<void> {
  isRequested = true;
  try {
    const response = await fetch('/api/front/app/config', { method: 'HEAD', cache: 'no-store' });
    recordServerTime(response.headers.get('date'));
  } catch {
    // The next response or the next countdown provides the time.
  }
  isRequested = false;
}
