export { ApiError, isApiError } from './api-error';
export {
  configureHttp,
  createHttp,
  del,
  get,
  type HttpHandlers,
  http,
  newIdempotencyKey,
  post,
  put,
  type RequestOptions,
} from './http-client';
export { type StatusLanguage, statusText } from './status-texts';
