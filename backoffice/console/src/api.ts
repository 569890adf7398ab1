/** Calls /staff/api. The session is a cookie that scripts cannot read. */
import type { StaffCalls } from '@shop/backoffice/wire';
import type { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { i18nInstance } from '@shop/shared/i18n';
import { type UseQueryResult, useQuery } from '@shop/shared/query';
import { useTexts } from './texts';

export class StaffApiError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

interface AskOptions {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: object;
  file?: File;
  /** The call is automatic polling, which does not extend the session. */
  watch?: boolean;
  /** Replaces the time limit for calls that may take minutes. */
  signal?: AbortSignal;
}

export const ask = (path: string, { method = 'GET', body, file, watch, signal }: AskOptions): Promise<Response> =>
  fetch(`/staff/api/${path}`, {
    method,
    headers: {
      'x-staff': watch ? 'watch' : 'act',
      locale: i18nInstance.language,
      ...(body && { 'content-type': 'application/json' }),
      ...(file && { 'content-type': file.type || 'application/octet-stream' }),
    },
    body: file ?? (body && JSON.stringify(body)),
    signal: signal ?? AbortSignal.timeout(file ? 60_000 : 20_000),
  });

export const UNAUTHORIZED = 401;
/** Only its type is imported: the table of all codes and texts would enlarge the first view. */
const FRESH_CODE_NEEDED: typeof StaffErrorCode.FreshCodeNeeded = 46008;

let onSignedOut = () => {};
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}
/** Resolves to whether the user has proved a code. */
let askForCode = async () => false;
export function whenCodeNeeded(ask: typeof askForCode): void {
  askForCode = ask;
}

/** Resolves to the data of the answer; `api` adds its types. Throws StaffApiError, and the error of `fetch` if the connection fails. */
export async function call<T>(path: string, options: AskOptions = {}): Promise<T> {
  return dataOf<T>(await ask(path, options)).catch(async (error) => {
    const isRefused = error instanceof StaffApiError && error.code === FRESH_CODE_NEEDED;
    if (!isRefused || !(await askForCode())) throw error;
    return call<T>(path, options);
  });
}

/** Staff calls answer with code, message and data; calls of the release API with a result or an error, and an HTTP status. */
interface Answer<T> {
  code?: number;
  message?: string;
  data?: T;
  result?: T;
  error?: { message: string };
}

/** Throws StaffApiError. */
export async function dataOf<T>(response: Response): Promise<T> {
  const { code = response.status, message = '', data, result, error } = (await response.json()) as Answer<T>;
  if (code === 200) return (result ?? data) as T;
  if (code === UNAUTHORIZED) onSignedOut();
  throw new StaffApiError(code, error?.message ?? message, error ?? data);
}

export async function postForFile(path: string, body: object): Promise<Blob> {
  const response = await ask(path, { method: 'POST', body });
  if (response.headers.has('content-disposition')) return response.blob();
  return dataOf<Blob>(response);
}

export const post = <T>(path: string, body: object): Promise<T> => call<T>(path, { method: 'POST', body });

type Call = keyof StaffCalls;
type Part<C extends Call, Name extends 'params' | 'query' | 'body'> =
  StaffCalls[C] extends Record<Name, infer Value> ? Value : object;
type Input<C extends Call> = Part<C, 'params'> & Part<C, 'query'> & Part<C, 'body'>;
type AnswerOf<C extends Call> = StaffCalls[C]['answer'];
type Options = Pick<AskOptions, 'watch' | 'file'>;
/** The input is optional if all its fields are. */
type Rest<C extends Call> =
  object extends Input<C> ? [input?: Input<C>, options?: Options] : [input: Input<C>, options?: Options];

/** A call with types from the server's schemas: the input fills the path, and the rest is the query or the body. Throws as `call` does. */
export function api<C extends Call>(name: C, ...[input, options]: Rest<C>): Promise<AnswerOf<C>> {
  const [method, pattern] = name.split(' ') as [AskOptions['method'], string];
  const { ...rest }: Record<string, unknown> = input ?? {};
  const path = pattern.replace(/:(\w+)/g, (_, parameter: string) => {
    const value = encodeURIComponent(String(rest[parameter]));
    delete rest[parameter];
    return value;
  });
  if (method === 'POST' && !options?.file) return call(path, { ...options, method, body: rest });
  const values = Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  const query = new URLSearchParams(values).toString();
  return call(query ? `${path}?${query}` : path, { ...options, method });
}

interface QueryOptions {
  watch?: boolean;
  /** The answer contains texts in one language, so a change of language refetches it. */
  inOneLanguage?: boolean;
  enabled?: boolean;
  refetchInterval?: number;
  refetchIntervalInBackground?: boolean;
  refetchOnWindowFocus?: boolean;
}
type Read = Extract<Call, `GET ${string}`>;

/** The answer is cached under the first word of its path: `invalidate(['goods'])` refetches all of /goods. */
export function useApi<C extends Read>(
  name: C,
  input: Input<C>,
  { watch, inOneLanguage, ...options }: QueryOptions = {},
): UseQueryResult<AnswerOf<C>> {
  const { language } = useTexts();
  const [resource] = name.slice('GET '.length).split('/');
  const args = [input, { watch }] as Rest<C>;
  return useQuery({
    queryKey: [resource, name, input, inOneLanguage && language],
    queryFn: () => api(name, ...args),
    ...options,
  });
}
