import { ErrorCode } from '@shop/shared/domain';
import { ApiError, newIdempotencyKey } from '@shop/shared/http';

/**
 * Keys of payments whose outcome is not known, by what is being paid. They outlive the page, so that a press after a
 * timeout and a way back is the same payment to the server.
 */
const open = new Map<string, string>();

export async function withIntent<T>(intent: string, call: (idempotencyKey: string) => Promise<T>): Promise<T> {
  const key = open.get(intent) ?? newIdempotencyKey();
  open.set(intent, key);
  try {
    const answer = await call(key);
    open.delete(intent);
    return answer;
  } catch (error) {
    // The server keeps its answer to a key; after a refusal the next press is a new intent. In progress: still unknown.
    if (error instanceof ApiError && error.kind === 'business' && error.code !== ErrorCode.RequestInProgress)
      open.delete(intent);
    throw error;
  }
}
