import { loadTransport } from '@shop/shared/http';

const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Each call to this site begins a trace (https://www.w3.org/TR/trace-context/); the server decides whether it is recorded. */
export async function traceCalls(): Promise<void> {
  const http = await loadTransport();
  http.interceptors.request.use((request) => {
    // An object storage would refuse a header outside its signature.
    if (request.url?.startsWith('/')) request.headers.set('traceparent', `00-${hex(16)}-${hex(8)}-01`);
    return request;
  });
}
