export { ApiError, isApiError } from './api-error';
export { configureHttp, type HttpHandlers, statusText } from './envelope';
export { giveAnswers } from './first-calls';
export {
  changingCalls,
  del,
  get,
  getQuery,
  loadTransport,
  newIdempotencyKey,
  post,
  put,
  type RequestOptions,
} from './http-client';
export { retryImport } from './retry-import';
export { useServerTimeOffset } from './server-time';
