import { ApiError } from '@shop/shared/http';
import { useCallback, useRef, useState } from 'react';

/** Runs one action at a time: a second press in the same frame is dropped. The client has told of a refusal already. */
export function useBusy(): [run: (action: () => Promise<unknown>) => void, isBusy: boolean] {
  const running = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const run = useCallback((action: () => Promise<unknown>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    void action()
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      })
      .finally(() => {
        running.current = false;
        setBusy(false);
      });
  }, []);
  return [run, isBusy];
}
