export interface AskOptions {
  language: string;
  method?: 'GET' | 'POST' | 'DELETE';
  body?: object;
  /** In the place of a body. */
  file?: File;
  /** The page asks by itself: the session does not live longer by it. */
  watch?: boolean;
  /** In the place of the time limit, for what may take minutes. */
  signal?: AbortSignal;
}

/** A call of /staff; `first-calls.ts` makes some before the rest of the console is there, so this imports nothing. */
export const ask = (
  path: string,
  { language, method = 'GET', body, file, watch, signal }: AskOptions,
): Promise<Response> =>
  fetch(`/staff/api/${path}`, {
    method,
    headers: {
      'x-staff': watch ? 'watch' : 'act',
      locale: language,
      ...(body && { 'content-type': 'application/json' }),
      ...(file && { 'content-type': file.type || 'application/octet-stream' }),
    },
    body: file ?? (body && JSON.stringify(body)),
    signal: signal ?? AbortSignal.timeout(file ? 60_000 : 20_000),
  });
