import { useEffect, useSyncExternalStore } from 'react';
import { recordServerTime, serverTimeOffset, subscribeToServerTime } from './server-time';

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
