/** Calls of /staff. The session is a cookie that no script reads. */
import { i18nInstance } from '@shop/shared/i18n';
import { type AskOptions, ask } from './ask';

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
export const reportSignedOut = (): void => onSignedOut();

/** The answer to a call that the document made before this script was there (first-calls.ts). */
function takeFirstCall(path: string): Promise<Response> | undefined {
  const { [path]: response, ...rest } = globalThis.staffFirstCalls ?? {};
  globalThis.staffFirstCalls = rest;
  return response;
}
/** They were answered to whoever was signed in then. */
export function forgetFirstCalls(): void {
  globalThis.staffFirstCalls = undefined;
}

/** The data of the answer. Throws StaffApiError; a connection that fails throws what fetch throws. */
export async function call<T>(path: string, options: Omit<AskOptions, 'language'> = {}): Promise<T> {
  const first = options.method ? undefined : takeFirstCall(path);
  const response = await (first ?? ask(path, { ...options, language: i18nInstance.language }));
  return dataOf<T>(response);
}

async function dataOf<T>(response: Response): Promise<T> {
  const envelope = (await response.json()) as { code: number; message: string; data: T };
  if (envelope.code === 200) return envelope.data;
  if (envelope.code === UNAUTHORIZED) onSignedOut();
  throw new StaffApiError(envelope.code, envelope.message, envelope.data);
}

/** A file that the shop makes for whoever is signed in. */
export async function postForFile(path: string, body: object): Promise<string> {
  const response = await ask(path, { method: 'POST', body, language: i18nInstance.language });
  if (response.headers.has('content-disposition')) return response.text();
  return dataOf<string>(response);
}

export const post = <T>(path: string, body: object): Promise<T> => call<T>(path, { method: 'POST', body });
