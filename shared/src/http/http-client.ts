import type { Calls } from '@shop/server/wire';
import type { AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';
import { ApiError } from './api-error';
import { arriving } from './arriving';
import { type Envelope, handlers, isEnvelope, unwrap } from './envelope';
import { takeFirstCall } from './first-calls';

export interface RequestOptions {
  /** Sent as Idempotency-Key; needed on every call that moves money, stock or coupons (api-contract, Conventions). */
  idempotencyKey?: string;
  /** The screen shows the failure itself, next to what failed; no notice. 401 and 403 act all the same. */
  quiet?: boolean;
  signal?: AbortSignal;
  timeoutMs?: number;
}

let arrived: AxiosInstance | undefined;
let arrival: Promise<AxiosInstance> | undefined;

/**
 * The one client that the shell and every remote use; its code comes once, and is asked for again where it did not come.
 * The shell calls this before anything else, so that it is under way while the first page is drawn.
 */
export function loadTransport(): Promise<AxiosInstance> {
  arrival ??= arriving(() => import('./transport')).then(
    ({ http }) => {
      arrived = http;
      return http;
    },
    () => {
      arrival = undefined;
      throw new ApiError({ kind: 'network', code: 0, status: 0, message: '' });
    },
  );
  return arrival;
}

/** Rejects with ApiError. */
async function send<T>(request: AxiosRequestConfig): Promise<T> {
  // Refused rather than tried: the shopper knows for certain that nothing was ordered or paid, and nothing is sent later.
  if (request.headers?.['Idempotency-Key'] && globalThis.navigator?.onLine === false) {
    const message = handlers.offlineText?.() ?? '';
    if (!request.quiet) handlers.onNotice(message);
    throw new ApiError({ kind: 'network', code: 0, status: 0, message });
  }
  return (await (arrived ?? (await loadTransport())).request<T>(request)).data;
}

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
  return send({ ...toConfig(options), method: 'get', url, params: params as unknown });
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
  return send({ ...toConfig(options), method: 'post', url, data: body ?? {} });
}

export async function del<Url extends Path<'DELETE'>>(
  url: Url,
  ...[params, options]: Rest<`DELETE ${Url}`, 'query'>
): Promise<Answer<`DELETE ${Url}`>> {
  return send({ ...toConfig(options), method: 'delete', url, params: params as unknown });
}

/** A raw upload, for example an avatar to the object storage. */
export async function put<T>(url: string, body: Blob, headers: Record<string, string>): Promise<T> {
  return send<T>({ method: 'put', url, data: body, headers, quiet: true });
}

/** A fresh key for one intent of the shopper; keep it across retries of that intent. 32 hexadecimal characters. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
