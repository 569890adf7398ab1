import { isApiError } from '@shop/shared/http';
import { useSingleFlight } from '@shop/shared/payment';

/** A button's action on an order, one call at a time. The http client has shown a refusal already. */
export function useOrderAction(action: () => Promise<unknown>): { start: () => void; isPending: boolean } {
  const { run, isPending } = useSingleFlight(async () => {
    try {
      await action();
    } catch (error) {
      if (!isApiError(error)) throw error;
    }
  });
  return { start: () => void run(), isPending };
}
