/**
 * The configured axios instance, in a separate chunk: the first page renders answers of the document's own calls and does not wait for it.
 */
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { ApiError } from './api-error';
import { handlers, unwrap } from './envelope';
import { queryWith } from './first-calls';
import { recordServerTime } from './server-time';

const requestTimeoutMs = 30_000;

/** How often a call is repeated while the server is busy. */
const busyRepeats = 2;
/** No call waits longer than this without a message. */
const longestWaitMs = 5_000;

/**
 * Repeats a call that a busy server refused (HTTP 503 with Retry-After) if that is safe: it only reads, or its idempotency key
 * makes the server do it once. The second wait is twice as long, and each is up to half as long again, so that clients do not
 * return at the same time.
 */
async function repeatWhileBusy(response: AxiosResponse): Promise<AxiosResponse> {
  const { method, headers: sent, signal } = response.config;
  if (method !== 'get' && !sent.has('Idempotency-Key')) return response;
  for (let repeats = 0; repeats < busyRepeats && response.status === 503; repeats++) {
    const wait = Number(response.headers['retry-after']) * 1000;
    if (!(wait >= 0 && wait <= longestWaitMs) || signal?.aborted) break;
    await new Promise((resolve) => setTimeout(resolve, wait * 2 ** repeats * (1 + Math.random() / 2)));
    response = await axios.request(response.config);
  }
  return response;
}

/** Without a response the result is empty and there is no toast (docs/product.md#errors). */
function failWithoutResponse(error: unknown): never {
  if (error instanceof ApiError || axios.isCancel(error)) throw error;
  const timedOut = axios.isAxiosError(error) && (error.code === 'ECONNABORTED' || error.code === 'ETIMEDOUT');
  throw new ApiError({ kind: timedOut ? 'timeout' : 'network', code: 0, status: 0, message: '' });
}

export const http: AxiosInstance = axios.create({
  timeout: requestTimeoutMs,
  headers: { 'Content-Type': 'application/json;charset=UTF-8' },
  // `unwrap` reads the envelope of every status, 429 and 500 included.
  validateStatus: () => true,
  paramsSerializer: { serialize: (params) => queryWith(params).toString() },
  withXSRFToken: false,
});
http.interceptors.request.use((request) => {
  const token = handlers.token();
  if (token) request.headers.set('Authorization', token);
  request.headers.set('Locale', handlers.language());
  request.headers.set('Currency', handlers.currency());
  return request;
});
http.interceptors.response.use((response) => {
  recordServerTime(response.headers.date);
  return repeatWhileBusy(response);
});
http.interceptors.response.use(unwrap, failWithoutResponse);
