import { type Currency, ErrorCode, type Language } from '@shop/shared/domain';
import type { AxiosResponse } from 'axios';
import { ApiError } from './api-error';

declare module 'axios' {
  interface AxiosRequestConfig {
    /** Shows no toast: the page shows the failure itself. */
    quiet?: boolean;
  }
}

/** Set by the shell: the session's headers, and the reactions to codes that concern the whole app. */
export interface HttpHandlers {
  token(): string;
  language(): Language;
  currency(): Currency;
  /** Code 401 to a call of the current session. */
  onUnauthorized(): void;
  /** Code 403: navigates to /403. */
  onForbidden(): void;
  /** Any other code: shows a danger toast. */
  onNotice(message: string): void;
  /** Toast for a call that moves money, stock or coupons and is not sent because the device is offline. */
  offlineText?(): string;
  /** Resolves after hydration: an earlier answer would make the first render differ from the document. */
  untilHydrated?(): Promise<void> | undefined;
  /** Called when a lazily loaded part does not load. Resolves to true if the document is reloaded. */
  onCodeLost?(): Promise<boolean>;
  /** Codes treated as 200 besides 200 and 0. */
  successCodes?: readonly (number | string)[];
}

export interface Envelope {
  code: number | string;
  message?: string;
  data?: unknown;
}

export let handlers: HttpHandlers = {
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

export function isEnvelope(body: unknown): body is Envelope {
  return typeof body === 'object' && body !== null && 'code' in body;
}

/** Shown when the server sends no message (docs/product.md#errors). */
const statusTexts: Record<number, Record<Language, string>> = {
  200: { 'zh-CN': '请求成功', en: 'Success' },
  201: { 'zh-CN': '新建或修改数据成功', en: 'Created or modified' },
  202: { 'zh-CN': '请求已进入后台排队', en: 'Queued in the background' },
  204: { 'zh-CN': '删除数据成功', en: 'Deleted' },
  400: { 'zh-CN': '发出的信息有误', en: 'The information sent is wrong' },
  401: { 'zh-CN': '没有权限（令牌无效、账号信息错误或登录已过期）', en: 'No permission: please sign in again' },
  402: { 'zh-CN': '登录令牌已过期', en: 'Your sign-in has expired' },
  403: { 'zh-CN': '已授权，但访问被禁止', en: 'Access is forbidden' },
  404: { 'zh-CN': '请求的资源不存在', en: 'The resource does not exist' },
  406: { 'zh-CN': '请求的格式不可用', en: 'The format is not available' },
  410: { 'zh-CN': '请求的资源已被永久删除', en: 'The resource was permanently deleted' },
  500: { 'zh-CN': '服务器发生错误', en: 'Server error' },
  502: { 'zh-CN': '网关错误', en: 'Gateway error' },
  503: { 'zh-CN': '服务不可用', en: 'The service is unavailable' },
  504: { 'zh-CN': '网关超时', en: 'Gateway timeout' },
};

export function statusText(status: number, language: Language): string | undefined {
  return statusTexts[status]?.[language];
}

/** Compared as text: codes arrive as numbers and as strings, and an empty code is not a success. */
function isSuccess(code: number | string): boolean {
  return [200, 0, ...(handlers.successCodes ?? [])].some((success) => String(success) === String(code).trim());
}

/** Ignores a late answer to a call of an earlier session. */
function endSession({ config }: AxiosResponse): void {
  // A call of the document has no headers here; it was reused because its token is the current one.
  const sentWith = config.headers ? (config.headers.get('Authorization') ?? '') : handlers.token();
  if (sentWith === handlers.token()) handlers.onUnauthorized();
}

/** Handles codes in this order: success, 401, 403, toast (docs/product.md#errors). */
export function unwrap(response: AxiosResponse): AxiosResponse {
  const { data: body, config }: AxiosResponse<unknown> = response;
  if (isEnvelope(body) && isSuccess(body.code)) return { ...response, data: body.data };
  const error = errorOf(response);
  // The HTTP client solves the first challenge of a call without a toast.
  const isFirstChallenge = error.code === ErrorCode.ChallengeRequired && !config.headers?.has('X-Challenge');
  if (error.code === ErrorCode.Unauthorized) endSession(response);
  else if (error.code === ErrorCode.Forbidden) handlers.onForbidden();
  else if (!config.quiet && !isFirstChallenge) handlers.onNotice(error.message);
  throw error;
}

function errorOf({ data: body, status, ...response }: AxiosResponse<unknown>): ApiError {
  const language = handlers.language();
  if (!isEnvelope(body)) {
    const isMalformed = status >= 200 && status < 300;
    const message = statusText(isMalformed ? 500 : status, language) ?? response.statusText;
    return new ApiError({ kind: isMalformed ? 'malformed' : 'http', code: status, status, message });
  }
  // A code that is not a number is replaced by the status.
  const code = Number(String(body.code).trim() || Number.NaN) || status;
  const message = body.message || statusText(status >= 400 ? status : code, language) || response.statusText;
  return new ApiError({ kind: status >= 400 ? 'http' : 'business', code, status, message, data: body.data });
}
