/// <reference types="@testing-library/jest-dom" />
/** Helpers for tests of pages: a session, a router and a stubbed network. Nothing else is replaced. */
import type { Calls } from '@shop/server/wire';
import { type RenderResult, render } from '@testing-library/react';
import { type AxiosAdapter, AxiosError, type InternalAxiosRequestConfig } from 'axios';
import type { ReactElement } from 'react';
import { createMemoryRouter } from 'react-router-dom';
import { currencyOf } from '../domain';
import { configureHttp, handlers } from '../http/envelope';
import { http } from '../http/transport';
import { changeLanguage } from '../i18n';
import { QueryClientProvider, queryClient } from '../query';
import { RouterProvider } from '../router';
import type { PageModule } from '../routing';
import { type Session, SessionProvider, type User } from '../session';

export interface StubbedRequest {
  method: string;
  url: string;
  params: Record<string, unknown>;
  body: unknown;
  headers: Record<string, string>;
}
/**
 * Data of a 200 envelope, or a function of the request. For failures: `failWith(code)`, `failWithStatus`, `notJson()`,
 * `neverAnswers()`, `noConnection()`, `sessionEnded()`, and `inTurn(first, second, …)` for one answer after the other.
 */
export type StubbedAnswers = { [Call in keyof Calls | StorageCall]?: unknown | ((request: StubbedRequest) => unknown) };
/** A raw upload goes to the address of the storage grant. */
type StorageCall = `PUT /${string}`;

/** An answer other than an envelope of success. */
class Failure {
  constructor(
    readonly respond: (
      config: InternalAxiosRequestConfig,
    ) => Promise<never> | { status: number; statusText?: string; data: unknown },
  ) {}
}

const envelope = (code: number | string, message: string, data: unknown) => ({
  code,
  message,
  data,
  request_id: 'test',
});

export const failWith = (code: number, message = '', data: unknown = null): unknown =>
  new Failure(() => ({ status: 200, statusText: 'OK', data: envelope(code, message, data) }));

/** No answer until the client's own timeout of 30 s; the test needs fake timers. */
export function neverAnswers(): unknown {
  return new Failure(
    (config) =>
      new Promise((_, reject) => {
        const giveUp = () => reject(new AxiosError('timeout exceeded', AxiosError.ECONNABORTED, config));
        if (config.timeout) setTimeout(giveUp, config.timeout);
      }),
  );
}

const rejected = (message: string, code: string): unknown =>
  new Failure((config) => Promise.reject(new AxiosError(message, code, config)));

/** The client's timeout, at once. */
export const timesOut = (): unknown => rejected('timeout exceeded', AxiosError.ECONNABORTED);

/** No response: offline, or a closed connection. */
export const noConnection = (): unknown => rejected('Network Error', AxiosError.ERR_NETWORK);

/** An answer that is not JSON, for example a proxy's page. */
export function notJson(status = 200, body = '<!doctype html><title>Welcome</title>'): unknown {
  return new Failure(() => ({ status, data: body }));
}

/** An envelope with an HTTP status other than 200. */
export function failWithStatus(status: number, code: number | string = status, message = '', statusText = ''): unknown {
  return new Failure(() => ({ status, statusText, data: envelope(code, message, null) }));
}

/** Code 401: the token has expired. Pass it to `inTurn` for a session that ends during the test. */
export const sessionEnded = (): unknown => failWith(401, '');

/** Each call gets the next answer, then the last one again. An answer may be a function of the request. */
export function inTurn(...answers: unknown[]): (request: StubbedRequest) => unknown {
  let next = 0;
  return (request) => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    return typeof answer === 'function' ? answer(request) : answer;
  };
}

/** An answer that the test sends later: `const call = pendingAnswer(); … call.answer(data)`. */
export function pendingAnswer(): { stub: () => Promise<unknown>; answer: (value: unknown) => void } {
  let answer: (value: unknown) => void = () => {};
  const promise = new Promise<unknown>((resolve) => {
    answer = resolve;
  });
  return { stub: () => promise, answer };
}

/** The answer of a list that has a single page. */
export function pageOf<Row>(list: Row[]) {
  return { list, total: list.length, page: 1, limit: 20, has_more: false };
}

/** Input that every form must handle. */
export const hostileTexts = {
  empty: '',
  spaces: '   ',
  tooLong: '长'.repeat(5_000),
  emoji: '👩‍👩‍👧‍👦🎮',
  script: '<script>window.hacked = true</script><img src=x onerror="window.hacked = true">',
  quotes: `'; drop table users; --`,
  control: '\u202Etxt\u0000',
} as const;

/** Records the messages of later toasts. */
export function recordNotices(): string[] {
  const messages: string[] = [];
  configureHttp({ ...handlers, onNotice: (message) => messages.push(message) });
  return messages;
}

let serverAheadMs = 0;

/** Sets how far the server's clock is ahead of the device's in the responses of `stubNetwork`. */
export function setServerClock(aheadMs: number): void {
  serverAheadMs = aheadMs;
}

/** Replaces the HTTP client's network. Returns the requests in order; a call without a stub fails with 404. */
export function stubNetwork(answers: StubbedAnswers): StubbedRequest[] {
  const requests: StubbedRequest[] = [];
  const adapter: AxiosAdapter = async (config: InternalAxiosRequestConfig) => {
    const [path = ''] = (config.url ?? '').split('?');
    const request: StubbedRequest = {
      method: (config.method ?? 'get').toUpperCase(),
      url: path,
      params: (config.params as Record<string, unknown>) ?? {},
      body: typeof config.data === 'string' ? JSON.parse(config.data) : config.data,
      headers: { ...(config.headers.toJSON() as Record<string, string>) },
    };
    requests.push(request);
    const key = `${request.method} ${path}`;
    const answer = key in answers ? answers[key as keyof StubbedAnswers] : failWith(404, `no stub for ${key}`);
    const value = typeof answer === 'function' ? await answer(request) : answer;
    const headers = { date: new Date(Date.now() + serverAheadMs).toISOString() };
    if (value instanceof Failure) return { statusText: '', headers, config, ...(await value.respond(config)) };
    return { data: envelope(200, '', value), status: 200, statusText: 'OK', headers, config };
  };
  http.defaults.adapter = adapter;
  return requests;
}

export const testUser: User = {
  id: '1',
  avatar: '',
  balance: '100.00',
  balances: { CNY: '100.00', USD: '20.00' },
  frozen: '0.00',
  birthday: '',
  email: '',
  idCardCode: '',
  isReal: 0,
  isUsable: 1,
  name: '',
  nickname: 'Tester',
  openid: '',
  phone: '138****0000',
  signInEmail: '',
  sex: 0,
  hasPassword: true,
  inviteCode: 'TEST01',
  unreadNotices: 0,
};

export function testSession(overrides: Partial<Session> = {}): Session {
  const language = overrides.language ?? 'zh-CN';
  const user = overrides.user ?? null;
  return {
    token: user ? 'Bearer test' : '',
    hasToken: Boolean(user),
    user,
    hasUser: Boolean(user),
    language,
    currency: currencyOf(language),
    theme: 'light',
    themeChoice: 'system',
    config: null,
    setLanguage: () => {},
    setTheme: () => {},
    openLogin: async () => false,
    openRegister: () => {},
    openSupport: () => {},
    refreshUser: async () => {},
    logout: async () => {},
    ...overrides,
  };
}

export interface RenderPageOptions {
  /** The address to open, for example '/goods/7?from=home'. */
  path: string;
  /** The route's pattern, for example '/goods/:id'; the path without its query by default. */
  route?: string;
  session?: Partial<Session>;
  api?: StubbedAnswers;
}

/** Renders a page module at an address, its loader included. Other addresses show their path as text. */
export async function renderPage(
  page: PageModule | PageModule['Component'],
  options: RenderPageOptions,
): Promise<RenderResult & { requests: StubbedRequest[]; router: ReturnType<typeof createMemoryRouter> }> {
  const module: PageModule = 'Component' in page ? page : { Component: page };
  const requests = stubNetwork(options.api ?? {});
  const session = testSession(options.session);
  await changeLanguage(session.language);
  // Tests do not share the query cache.
  queryClient.clear();
  const elsewhere: ReactElement = <p data-testid="elsewhere">elsewhere</p>;
  const router = createMemoryRouter(
    [
      {
        path: options.route ?? options.path.split('?')[0],
        Component: module.Component,
        loader: module.loader ? (args) => module.loader?.(args as never) ?? null : undefined,
        HydrateFallback: () => null,
      },
      { path: '*', element: elsewhere },
    ],
    { initialEntries: [options.path] },
  );
  const result = render(
    <QueryClientProvider client={queryClient}>
      <SessionProvider value={session}>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>,
  );
  return { ...result, requests, router };
}
