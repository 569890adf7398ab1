import { ErrorCode } from '@shop/shared/domain';
import { isApiError, newIdempotencyKey } from '@shop/shared/http';

/** Keys of intents whose outcome is unknown. They outlive the page: pressed again after a timeout and a way back, it is the same intent. */
const openKeys = new Map<string, string>();

/** Refusals after which the first call may still succeed, or was never stored as an answer. */
const notFinal: readonly number[] = [ErrorCode.RequestInProgress, ErrorCode.TooManyRequests, ErrorCode.InternalError];

/**
 * Runs `call` with the Idempotency-Key of this intent: the same key until the server has given a final answer, then a new one.
 * `intent` names all that the shopper decided (amount, method, order): another choice is another intent. The server keeps its answer
 * to a key, also a refusal, so that a press after a refusal needs a new one.
 */
export async function withIdempotencyKey<T>(intent: string, call: (key: string) => Promise<T>): Promise<T> {
  const key = openKeys.get(intent) ?? newIdempotencyKey();
  openKeys.set(intent, key);
  try {
    const answer = await call(key);
    openKeys.delete(intent);
    return answer;
  } catch (error) {
    if (isApiError(error) && error.kind === 'business' && !notFinal.includes(error.code)) openKeys.delete(intent);
    throw error;
  }
}
