export interface AskOptions {
  language: string;
  method?: 'GET' | 'POST' | 'DELETE';
  body?: object;
  file?: File;
  /** The call is automatic polling, which does not extend the session. */
  watch?: boolean;
  /** Replaces the time limit for calls that may take minutes. */
  signal?: AbortSignal;
}

/** Sends a call to /staff/api. `first-calls.ts` uses it before the rest of the console has loaded, so this file imports nothing. */
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
