import { ErrorCode } from '@shop/shared/domain';
import { isApiError, newIdempotencyKey } from '@shop/shared/http';
import { holdDocument } from './hold-document';

interface OpenIntent {
  key: string;
  /** A reload of the document would lose the key. */
  release: () => void;
}

/** Intents whose outcome is unknown. They outlive the page: after a timeout and Back the next click is the same intent. */
const openIntents = new Map<string, OpenIntent>();

function close(intent: string): void {
  openIntents.get(intent)?.release();
  openIntents.delete(intent);
}

/** Refusals after which the first call may still succeed, or was never stored as an answer. */
const notFinal: readonly number[] = [ErrorCode.RequestInProgress, ErrorCode.TooManyRequests, ErrorCode.InternalError];

/**
 * Runs `call` with the Idempotency-Key of this intent: the same key until the server has given a final answer, then a new one.
 * `intent` contains everything that the user decided (amount, method, order): another choice is another intent. The server stores
 * its answer to a key, also a refusal, so that a click after a refusal needs a new one.
 */
export async function withIdempotencyKey<T>(intent: string, call: (key: string) => Promise<T>): Promise<T> {
  // Another choice replaces the earlier one, which no longer holds the document. Its key stays for a return to that choice.
  for (const [other, { release }] of openIntents) if (kindOf(other) === kindOf(intent)) release();
  const earlier = openIntents.get(intent);
  const open = { key: earlier?.key ?? newIdempotencyKey(), release: holdDocument() };
  openIntents.set(intent, open);
  const wasOffline = isOffline();
  try {
    const answer = await call(open.key);
    close(intent);
    return answer;
  } catch (error) {
    const isRefused = isApiError(error) && error.kind === 'business' && !notFinal.includes(error.code);
    const wasNeverSent = !earlier && wasOffline && isOffline();
    if (isRefused || wasNeverSent) close(intent);
    throw error;
  }
}

const isOffline = () => navigator.onLine === false;
/** `order` of `order:…`. */
const kindOf = (intent: string) => intent.split(':')[0];
