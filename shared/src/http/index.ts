export { ApiError, isApiError } from './api-error';
export { arriving } from './arriving';
export { configureHttp, type HttpHandlers } from './envelope';
export { del, get, loadTransport, newIdempotencyKey, post, put, type RequestOptions } from './http-client';
export { type StatusLanguage, statusText } from './status-texts';
