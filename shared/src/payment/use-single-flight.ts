import { isApiError } from '@shop/shared/http';
import { useEffect, useRef, useState } from 'react';

interface SingleFlight<Arguments extends unknown[]> {
  /** Starts the action, or returns the running one. Rejects with an error other than ApiError, which the HTTP client has shown. */
  run: (...args: Arguments) => Promise<void>;
  isPending: boolean;
}

/** Runs one call of `action` at a time. A second click in the same frame comes before `isPending` has rendered. */
export function useSingleFlight<Arguments extends unknown[]>(
  action: (...args: Arguments) => Promise<void>,
): SingleFlight<Arguments> {
  const flight = useRef<Promise<void> | null>(null);
  const [isPending, setPending] = useState(false);
  useEffect(() => {
    // The back/forward cache may restore the page with an action that never ends.
    const reset = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      flight.current = null;
      setPending(false);
    };
    window.addEventListener('pageshow', reset);
    return () => window.removeEventListener('pageshow', reset);
  }, []);

  const run = (...args: Arguments): Promise<void> => {
    if (flight.current) return flight.current;
    const started = (async () => action(...args))()
      .catch((error: unknown) => {
        if (!isApiError(error)) throw error;
      })
      .finally(() => {
        if (flight.current !== started) return;
        flight.current = null;
        setPending(false);
      });
    flight.current = started;
    setPending(true);
    return started;
  };
  return { run, isPending };
}
