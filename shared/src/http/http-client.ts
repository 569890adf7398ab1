import type { Calls } from '@shop/server/wire';
import type { AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';
import { ErrorCode } from '../domain';
import type { Challenge } from '../domain/challenge';
import { ApiError, isApiError } from './api-error';
import { type Envelope, handlers, isEnvelope, unwrap } from './envelope';
import { takeFirstCall } from './first-calls';
import { retryImport } from './retry-import';

export interface RequestOptions {
  /** Sent as Idempotency-Key; required by every call that moves money, stock or coupons (docs/product.md#calls). */
  idempotencyKey?: string;
  /** Shows no toast: the page shows the failure itself. 401 and 403 are still handled. */
  quiet?: boolean;
  signal?: AbortSignal;
}

let transport: Promise<AxiosInstance> | undefined;

/** Loads axios, the one instance of the shell and every remote. Rejects with ApiError; a later call tries again. */
export function loadTransport(): Promise<AxiosInstance> {
  transport ??= retryImport(() => import('./transport')).then(
    ({ http }) => http,
    () => {
      transport = undefined;
      throw new ApiError({ kind: 'network', code: 0, status: 0, message: '' });
    },
  );
  return transport;
}

/** Solves a challenge, which the server sends under a flood of requests, and sends the call again. Rejects with ApiError. */
async function send<T>(request: AxiosRequestConfig): Promise<T> {
  // No request was sent, so the message can say that nothing was ordered or paid.
  if (request.headers?.['Idempotency-Key'] && globalThis.navigator?.onLine === false) {
    const message = handlers.offlineText?.() ?? '';
    if (!request.quiet) handlers.onNotice(message);
    throw new ApiError({ kind: 'network', code: 0, status: 0, message });
  }
  const http = await loadTransport();
  try {
    return (await http.request<T>(request)).data;
  } catch (error) {
    const challenge =
      isApiError(error) && error.code === ErrorCode.ChallengeRequired && (error.data as Challenge | null);
    if (!challenge || request.headers?.['X-Challenge']) throw error;
    const { solveChallenge } = await retryImport(() => import('./solve-challenge'));
    const solution = await solveChallenge(challenge);
    const headers = { ...request.headers, 'X-Challenge': challenge.challenge, 'X-Challenge-Solution': solution };
    return (await http.request<T>({ ...request, headers })).data;
  }
}

/** Calls of this document that change data on the server. The shell does not reload the document during one. */
export const changingCalls = {
  pending: 0,
  /** `Date.now()`; 0 before the first. */
  lastEnd: 0,
  lastSuccess: 0,
};

async function sendChange<T>(request: AxiosRequestConfig): Promise<T> {
  changingCalls.pending += 1;
  try {
    const answer = await send<T>(request);
    changingCalls.lastSuccess = Date.now();
    return answer;
  } finally {
    changingCalls.pending -= 1;
    changingCalls.lastEnd = Date.now();
  }
}

function toConfig({ idempotencyKey, ...rest }: RequestOptions = {}): AxiosRequestConfig {
  return { ...rest, ...(idempotencyKey && { headers: { 'Idempotency-Key': idempotencyKey } }) };
}

type AnswerOf<Call extends string> = Call extends keyof Calls ? Calls[Call]['answer'] : never;
type Input<Call extends string, Part extends 'query' | 'body'> = Call extends keyof Calls
  ? Calls[Call] extends Record<Part, infer Value>
    ? Value
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
/** Input and options of a call; both are optional if nothing in them is required. */
type Rest<Call extends string, Part extends 'query' | 'body'> =
  RequestOptions extends Options<Call>
    ? object extends Input<Call, Part>
      ? [input?: Input<Call, Part>, options?: Options<Call>]
      : undefined extends Input<Call, Part>
        ? [input?: undefined, options?: Options<Call>]
        : [input: Input<Call, Part>, options?: Options<Call>]
    : [input: Input<Call, Part>, options: Options<Call>];

/**
 * Resolves to the envelope's `data`; rejects with ApiError. Paths, inputs and answers are typed by the server's schemas (`Calls`
 * of @shop/server/wire), the required idempotency key included.
 */
export async function get<Url extends Path<'GET'>>(
  url: Url,
  ...[params, options]: Rest<`GET ${Url}`, 'query'>
): Promise<AnswerOf<`GET ${Url}`>> {
  const started = takeFirstCall(url, params as Record<string, unknown> | undefined);
  const envelope = await started?.catch(() => undefined);
  // A busy server gets a new request below.
  if (isEnvelope(envelope) && envelope.code !== ErrorCode.ServiceBusy) return reuse(envelope, options);
  const request = { ...toConfig(options), method: 'get', url, params: params as unknown };
  return send<AnswerOf<`GET ${Url}`>>(request).finally(handlers.untilHydrated);
}

/** Options of a query by one GET call. The call is quiet, because the page shows a failure itself. */
export function getQuery<Url extends Path<'GET'>>(
  url: Url,
  queryKey: readonly unknown[],
  ...[params]: Rest<`GET ${Url}`, 'query'>
) {
  const quietly = [params, { quiet: true }] as unknown as Rest<`GET ${Url}`, 'query'>;
  return { queryKey, queryFn: () => get(url, ...quietly) };
}

/** The answer to a call that the document started goes through `unwrap` like any other. */
function reuse<T>(envelope: Envelope, options?: RequestOptions): T {
  const config = toConfig(options) as AxiosResponse['config'];
  return unwrap({ data: envelope, status: 200, statusText: '', headers: {}, config }).data as T;
}

export async function post<Url extends Path<'POST'>>(
  url: Url,
  ...[body, options]: Rest<`POST ${Url}`, 'body'>
): Promise<AnswerOf<`POST ${Url}`>> {
  return sendChange({ ...toConfig(options), method: 'post', url, data: body ?? {} });
}

export async function del<Url extends Path<'DELETE'>>(
  url: Url,
  ...[params, options]: Rest<`DELETE ${Url}`, 'query'>
): Promise<AnswerOf<`DELETE ${Url}`>> {
  return sendChange({ ...toConfig(options), method: 'delete', url, params: params as unknown });
}

export async function put<T>(url: string, body: Blob, headers: Record<string, string>): Promise<T> {
  return sendChange<T>({ method: 'put', url, data: body, headers, quiet: true });
}

/** 32 hexadecimal characters. Keep the key when the same action is retried. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
