import type { Calls } from '@shop/server/wire';
import axios, { type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import type { Currency, Language } from '../domain';
import { ApiError } from './api-error';
import { takeFirstCall } from './first-calls';
import { statusText } from './status-texts';

/** Specification, section 9. */
const requestTimeoutMs = 30_000;

/** What the shell tells the client: who is signed in, and what to do when an answer concerns the whole app. */
export interface HttpHandlers {
  token(): string;
  language(): Language;
  currency(): Currency;
  /** Code 401: reset the session. */
  onUnauthorized(): void;
  /** Code 403: leave for /403. */
  onForbidden(): void;
  /** Any other code: show a danger notice. */
  onNotice(message: string): void;
  /** What to say of a call that moves money, stock or coupons and is refused before it leaves, because the device is offline. */
  offlineText?(): string;
  /** Codes treated as 200 besides 200 and 0. */
  successCodes?: readonly (number | string)[];
}

export interface RequestOptions {
  /** Sent as Idempotency-Key; needed on every call that moves money, stock or coupons (api-contract, Conventions). */
  idempotencyKey?: string;
  /** The screen shows the failure itself, next to what failed; no notice. 401 and 403 act all the same. */
  quiet?: boolean;
  signal?: AbortSignal;
  timeoutMs?: number;
}

interface Envelope {
  code: number | string;
  message?: string;
  data?: unknown;
  request_id?: string;
}

let handlers: HttpHandlers = {
  token: () => '',
  language: () => 'zh-CN',
  currency: () => 'CNY',
  onUnauthorized: () => {},
  onForbidden: () => {},
  onNotice: () => {},
};

export function configureHttp(next: HttpHandlers): void {
  handlers = next;
}

declare module 'axios' {
  interface AxiosRequestConfig {
    quiet?: boolean;
  }
}

function isEnvelope(body: unknown): body is Envelope {
  return typeof body === 'object' && body !== null && 'code' in body;
}

/** As text, so that numbers and strings are alike and an empty code is none. */
function isSuccess(code: number | string): boolean {
  return [200, 0, ...(handlers.successCodes ?? [])].some((success) => String(success) === String(code).trim());
}

/** Codes are handled once, in this order, here: success, 401, 403, notice (specification, section 8). */
function unwrap(response: AxiosResponse): AxiosResponse {
  const body: unknown = response.data;
  if (isEnvelope(body) && isSuccess(body.code)) return { ...response, data: body.data };
  const quiet = response.config.quiet === true;
  const status = response.status;
  if (!isEnvelope(body)) {
    const malformed = status >= 200 && status < 300;
    const message = statusText(malformed ? 500 : status, handlers.language()) ?? response.statusText;
    if (!malformed && status === 401) handlers.onUnauthorized();
    else if (!malformed && status === 403) handlers.onForbidden();
    else if (!quiet) handlers.onNotice(message);
    throw new ApiError({ kind: malformed ? 'malformed' : 'http', code: status, status, message });
  }
  // A code that is no number says no more than the status.
  const code = Number(String(body.code).trim() || Number.NaN) || status;
  const message = body.message || statusText(status >= 400 ? status : code, handlers.language()) || response.statusText;
  if (code === 401) handlers.onUnauthorized();
  else if (code === 403) handlers.onForbidden();
  else if (!quiet) handlers.onNotice(message);
  throw new ApiError({
    kind: status >= 400 ? 'http' : 'business',
    code,
    status,
    message,
    data: body.data,
    requestId: body.request_id,
  });
}

/** A network failure without a response gives an empty result and no notice (specification, section 8). */
function failWithoutResponse(error: unknown): never {
  if (error instanceof ApiError) throw error;
  if (axios.isCancel(error)) throw error;
  const timedOut = axios.isAxiosError(error) && (error.code === 'ECONNABORTED' || error.code === 'ETIMEDOUT');
  throw new ApiError({ kind: timedOut ? 'timeout' : 'network', code: 0, status: 0, message: '' });
}

/** Scalars only; what is not given is left out. axios's own serializer, for nested forms, is not in a release. */
function writeQuery(params: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null) query.append(name, String(value));
  }
  return query.toString();
}

export function createHttp(config: AxiosRequestConfig = {}): AxiosInstance {
  const instance = axios.create({
    baseURL: '',
    timeout: requestTimeoutMs,
    headers: { 'Content-Type': 'application/json;charset=UTF-8' },
    // Every status comes to `unwrap`, so that the code of a 429 or 500 envelope is read like any other.
    validateStatus: () => true,
    paramsSerializer: { serialize: writeQuery },
    withXSRFToken: false,
    ...config,
  });
  instance.interceptors.request.use((request) => {
    const token = handlers.token();
    if (token) request.headers.set('Authorization', token);
    request.headers.set('Locale', handlers.language());
    request.headers.set('Currency', handlers.currency());
    // Refused rather than tried: the shopper knows for certain that nothing was ordered or paid, and nothing is sent later.
    if (request.headers.has('Idempotency-Key') && globalThis.navigator?.onLine === false) {
      const message = handlers.offlineText?.() ?? '';
      if (!request.quiet) handlers.onNotice(message);
      throw new ApiError({ kind: 'network', code: 0, status: 0, message });
    }
    return request;
  });
  instance.interceptors.response.use(unwrap, failWithoutResponse);
  return instance;
}

/** The one client that the shell and every remote use. */
export const http: AxiosInstance = createHttp();

function toConfig(options: RequestOptions = {}): AxiosRequestConfig {
  return {
    ...(options.idempotencyKey ? { headers: { 'Idempotency-Key': options.idempotencyKey } } : {}),
    ...(options.quiet ? { quiet: true } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.timeoutMs ? { timeout: options.timeoutMs } : {}),
  };
}

type Answer<Call extends string> = Call extends keyof Calls ? Calls[Call]['answer'] : never;
type Taken<Call extends string, Part extends 'query' | 'body'> = Call extends keyof Calls
  ? Calls[Call] extends Record<Part, infer Taken>
    ? Taken
    : undefined
  : never;
type Path<Method extends string> = keyof Calls extends infer Call
  ? Call extends `${Method} ${infer Url}`
    ? Url
    : never
  : never;
type Options<Call extends string> = Call extends keyof Calls
  ? Calls[Call] extends { idempotent: true }
    ? RequestOptions & { idempotencyKey: string }
    : RequestOptions
  : never;
/** What a call takes and its options; either may be left out where nothing of it is required. */
type Rest<Call extends string, Part extends 'query' | 'body'> =
  RequestOptions extends Options<Call>
    ? object extends Taken<Call, Part>
      ? [taken?: Taken<Call, Part>, options?: Options<Call>]
      : undefined extends Taken<Call, Part>
        ? [taken?: undefined, options?: Options<Call>]
        : [taken: Taken<Call, Part>, options?: Options<Call>]
    : [taken: Taken<Call, Part>, options: Options<Call>];

/**
 * Resolves to the envelope's `data`; rejects with ApiError. Paths, what they take and what they answer are the server's
 * own (`Calls` of @shop/server/wire): a call that the API does not know, that takes something else or that lacks its
 * idempotency key does not compile.
 */
export async function get<Url extends Path<'GET'>>(
  url: Url,
  ...[params, options]: Rest<`GET ${Url}`, 'query'>
): Promise<Answer<`GET ${Url}`>> {
  const started = takeFirstCall(url, params as Record<string, unknown> | undefined, {
    token: handlers.token(),
    language: handlers.language(),
    currency: handlers.currency(),
  });
  const envelope = await started?.catch(() => undefined);
  if (isEnvelope(envelope)) return adopt(envelope, options);
  return (await http.get(url, { ...toConfig(options), params: params as unknown })).data;
}

/** A call that the document started goes through the same codes as any other. */
function adopt<T>(envelope: Envelope, options?: RequestOptions): T {
  const config = toConfig(options) as AxiosResponse['config'];
  return unwrap({ data: envelope, status: 200, statusText: '', headers: {}, config }).data as T;
}

export async function post<Url extends Path<'POST'>>(
  url: Url,
  ...[body, options]: Rest<`POST ${Url}`, 'body'>
): Promise<Answer<`POST ${Url}`>> {
  return (await http.post(url, body ?? {}, toConfig(options))).data;
}

export async function del<Url extends Path<'DELETE'>>(
  url: Url,
  ...[params, options]: Rest<`DELETE ${Url}`, 'query'>
): Promise<Answer<`DELETE ${Url}`>> {
  return (await http.delete(url, { ...toConfig(options), params: params as unknown })).data;
}

/** A raw upload, for example an avatar to the object storage. */
export async function put<T>(url: string, body: Blob, headers: Record<string, string>): Promise<T> {
  return (await http.put<T>(url, body, { headers, quiet: true })).data;
}

/** A fresh key for one intent of the shopper; keep it across retries of that intent. 32 hexadecimal characters. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
