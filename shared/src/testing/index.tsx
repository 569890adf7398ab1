/// <reference types="@testing-library/jest-dom" />
/** Helpers for the tests of pages: a session, a router and a stubbed network. Nothing else is replaced. */
import type { Calls } from '@shop/server/wire';
import { type RenderResult, render } from '@testing-library/react';
import type { AxiosAdapter, InternalAxiosRequestConfig } from 'axios';
import type { ReactElement } from 'react';
import { currencyOf } from '../domain';
import { http } from '../http';
import { changeLanguage } from '../i18n';
import { PageDataProvider, resetPageData } from '../query';
import { createMemoryRouter, RouterProvider } from '../router';
import type { PageModule } from '../routing';
import { type Session, SessionProvider, type User } from '../session';

export interface StubbedRequest {
  method: string;
  url: string;
  params: Record<string, unknown>;
  body: unknown;
  headers: Record<string, string>;
}
/** Data of a 200 envelope, or a function of the request; throw or return `failWith(code, message)` for an error. */
export type StubbedAnswers = { [Call in keyof Calls | StorageCall]?: unknown | ((request: StubbedRequest) => unknown) };
/** A raw upload goes where the storage grant says. */
type StorageCall = `PUT /${string}`;

class Failure {
  constructor(
    readonly code: number,
    readonly message: string,
    readonly data: unknown,
  ) {}
}
export function failWith(code: number, message = '', data: unknown = null): unknown {
  return new Failure(code, message, data);
}

/** Replaces the network of the one client. Returns the requests made, in order. An unknown call fails with 404. */
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
    const body =
      value instanceof Failure
        ? { code: value.code, message: value.message, data: value.data, request_id: 'test' }
        : { code: 200, message: '', data: value, request_id: 'test' };
    return { data: body, status: 200, statusText: 'OK', headers: {}, config };
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
  sex: 0,
  hasPassword: true,
  inviteCode: 'TEST01',
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
    openLogin: () => {},
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

function Nothing(): null {
  return null;
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
  // What another test has fetched ahead must not answer here.
  await resetPageData();
  const elsewhere: ReactElement = <p data-testid="elsewhere">elsewhere</p>;
  const router = createMemoryRouter(
    [
      {
        path: options.route ?? options.path.split('?')[0],
        Component: module.Component,
        loader: module.loader ? (args) => module.loader?.(args as never) ?? null : undefined,
        HydrateFallback: Nothing,
      },
      { path: '*', element: elsewhere },
    ],
    { initialEntries: [options.path] },
  );
  const result = render(
    // A cache of its own, so that no test sees the data of another.
    <PageDataProvider value={{ provider: () => new Map(), dedupingInterval: 0 }}>
      <SessionProvider value={session}>
        <RouterProvider router={router} />
      </SessionProvider>
    </PageDataProvider>,
  );
  return { ...result, requests, router };
}
