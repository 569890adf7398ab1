/** Calls of /staff. The session is a cookie that no script reads. */
import { i18nInstance } from '@shop/shared/i18n';

export class StaffApiError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

export const UNAUTHORIZED = 401;

let onSignedOut = () => {};
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

interface CallOptions {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: object;
  /** The page asks by itself: the session does not live longer by it. */
  watch?: boolean;
}

/** The data of the answer. Throws StaffApiError; a connection that fails throws what fetch throws. */
export async function call<T>(path: string, { method = 'GET', body, watch }: CallOptions = {}): Promise<T> {
  const response = await fetch(`/staff/api/${path}`, {
    method,
    headers: {
      'x-staff': watch ? 'watch' : 'act',
      locale: i18nInstance.language,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  const envelope = (await response.json()) as { code: number; message: string; data: T };
  if (envelope.code === 200) return envelope.data;
  if (envelope.code === UNAUTHORIZED) onSignedOut();
  throw new StaffApiError(envelope.code, envelope.message, envelope.data);
}

export const post = <T>(path: string, body: object): Promise<T> => call<T>(path, { method: 'POST', body });
