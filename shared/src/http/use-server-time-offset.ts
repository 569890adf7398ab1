import { useEffect, useSyncExternalStore } from 'react';
import { loadTransport } from './http-client';
import { serverTimeOffset, subscribeToServerTime } from './server-time';

let isRequested = false;

/** Milliseconds between the server's clock and this device's; undefined until a response has come. */
export function useServerTimeOffset(): number | undefined {
  const offset = useSyncExternalStore(subscribeToServerTime, serverTimeOffset, () => undefined);
  useEffect(() => {
    // The page's first answers can come inside the document, without a `Date` header.
    if (offset !== undefined || isRequested) return;
    isRequested = true;
    const finish = () => {
      isRequested = false;
    };
    loadTransport()
      .then((http) => http.head('/api/front/app/config', { quiet: true }))
      .then(finish, finish);
  }, [offset]);
  return offset;
}
