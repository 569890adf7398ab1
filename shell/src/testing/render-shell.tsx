/** Renders the whole shell, with small test pages in place of the remotes and a stubbed network. */

import type { RemoteLoader } from '@platform/host/remote-loader';
import type { PageMap, PageMapEntry, RemoteContract, RouteFlags } from '@platform/releases/contract';
import { changeLanguage } from '@shop/shared/i18n';
import { queryClient } from '@shop/shared/query';
import { useNavigate } from '@shop/shared/router';
import type { PageModule } from '@shop/shared/routing';
import { type StubbedAnswers, type StubbedRequest, stubNetwork } from '@shop/shared/testing';
import { act, cleanup, type RenderResult, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createShell } from '../app/create-shell';
import type { Shell } from '../shell-context';
import '../texts';

const bars: RouteFlags = { topBar: true, fixed: true, placeholder: true };
const pageNames: Record<string, PageModule['Component']> = {};

export interface TestPage {
  path: string;
  title?: string;
  flags?: RouteFlags;
  Component?: PageModule['Component'];
  loader?: PageModule['loader'];
  /** Its code never loads. */
  neverLoads?: boolean;
}

const defaultPages: TestPage[] = [
  { path: '/home', title: '首页', flags: { ...bars, tabBar: true, search: true } },
  { path: '/goods', title: '全部游戏', flags: { ...bars, showTitle: true, back: true, keepAlive: false } },
  { path: '/goods/:id', title: '商品详情', flags: { ...bars, transparent: true, showTitle: true, back: true } },
  { path: '/order', title: '我的订单', flags: { ...bars, tabBar: true, showTitle: true, requiresLogin: true } },
  {
    path: '/order/detail/:id',
    title: '订单详情',
    flags: { ...bars, showTitle: true, back: true, requiresLogin: true, keepAlive: false },
  },
  { path: '/user', title: '个人中心', flags: { ...bars, tabBar: true, showTitle: true, requiresLogin: true } },
  { path: '/user/coupon', title: '我的优惠券', flags: { ...bars, showTitle: true, back: true, requiresLogin: true } },
  { path: '/article/agreement', title: '用户服务协议 - 星点', flags: { ...bars, showTitle: true, back: true } },
  { path: '/article/guide', title: '儿童个人信息保护指引 - 星点', flags: { ...bars, showTitle: true, back: true } },
  { path: '/search', title: '搜索', flags: { ...bars, showTitle: true, back: true } },
  { path: '/youxi', title: '游戏', flags: { layout: false } },
];

const label = (zh: string, en: string) => ({ 'zh-CN': zh, en });

function contractOf(pages: readonly TestPage[]): RemoteContract {
  return {
    name: 'area',
    contract: 1,
    routes: pages.map(({ path, title, flags }) => ({
      path,
      page: `.${path}`,
      module: '',
      title: title === undefined ? path : label(title, `EN ${title}`),
      flags: flags ?? bars,
    })),
    tabBar: [
      { path: '/home', label: label('游戏', 'Games'), icon: 'games', order: 10 },
      { path: '/order', label: label('我的订单', 'My orders'), icon: 'orders', order: 20, count: 'unreadNotices' },
      { path: '/user', label: label('我的', 'Me'), icon: 'user', order: 30 },
    ],
    drawer: [
      { path: '/home', label: label('首页', 'Home'), icon: 'home', order: 10 },
      { path: '/user/coupon', label: label('优惠券', 'Coupons'), icon: 'coupon', order: 20 },
      { path: '/goods', label: label('全部游戏', 'All games'), icon: 'games', order: 40 },
    ],
  };
}

function mapOf(pages: readonly TestPage[]): PageMap {
  const live = (name: string, remote?: RemoteContract): PageMapEntry => ({
    metadata: { version: '1.0.0-1' },
    deployment: { traffic: 100, default: true },
    extras: { base: `/r/${name}/1.0.0-1/`, entry: 'entry.js', exposes: {}, integrity: {}, remote },
  });
  return {
    channel: 'production',
    rev: 1,
    microFrontends: { shell: [live('shell')], area: [live('area', contractOf(pages))] },
    // A preview never refetches the map.
    preview: { name: 'area', version: '1.0.0-1' },
  };
}

function loaderOf(pages: readonly TestPage[]): RemoteLoader {
  const moduleOf = (page: string): PageModule => {
    const path = page.slice(1);
    const testPage = pages.find((candidate) => candidate.path === path);
    pageNames[path] ??= () => <p>{`page ${path}`}</p>;
    return { Component: testPage?.Component ?? (pageNames[path] as PageModule['Component']), loader: testPage?.loader };
  };
  const isPending = (page: string) => pages.some(({ path, neverLoads }) => neverLoads && page === `.${path}`);
  return {
    load: (release, page) =>
      isPending(page) ? new Promise(() => {}) : Promise.resolve({ module: moduleOf(page), release }),
    loadFallback: () => Promise.reject(new Error('no fallback release')),
    show() {},
    unload() {},
    peek: (release, page) => (isPending(page) ? undefined : { module: moduleOf(page), release }),
  };
}

/** Default answers: a config, a user, articles and no coupon. */
export const defaultAnswers: StubbedAnswers = {
  'GET /api/front/app/config': {
    logo: '',
    customer_qrcode: '/qr.png',
    work_time: '9:00-23:00',
    customer_link: 'https://chat.example/1',
    icp: '备案 1 号',
    copyright: '© 星点',
    social: [{ name: '微博', icon: '', url: 'https://social.example/1' }],
  },
  'GET /api/front/user/info': {
    id: 7,
    nickname: '小星',
    phone: '138****0000',
    balance: '10.00',
    balances: { CNY: '10.00', USD: '1.00' },
  },
  'GET /api/front/coupon/check': null,
  'GET /api/front/coupon/getCoupon': null,
  'GET /api/front/article/all': [
    { id: 'agreement', title: '用户服务协议' },
    { id: 'guide', title: '儿童个人信息保护指引' },
    { id: 'privacy', title: '隐私政策' },
  ],
};

export const coupon = {
  id: 3,
  name: '新人券',
  coupon_type: 10,
  reduce_price: '5.00',
  discount: 0,
  min_price: '30.00',
  currency: 'CNY',
  expire_type: 10,
  expire_day: 30,
  start_time: null,
  end_time: null,
  apply_range: 10,
  status: 1,
  items: [],
};
/** Answers for a user who may receive a coupon. */
export const waitingCoupon = { 'GET /api/front/coupon/check': { id: 3 }, 'GET /api/front/coupon/getCoupon': coupon };

export interface RenderShellOptions {
  /** Added to the default pages; a page with the same path replaces the default. */
  pages?: TestPage[];
  api?: StubbedAnswers;
  /** Stored token: the user is signed in. */
  token?: string;
  language?: 'zh-CN' | 'en';
}

interface RenderedShell extends RenderResult {
  shell: Shell;
  requests: StubbedRequest[];
}

let end: (() => void) | null = null;
const realSetTimeout = setTimeout;

/** Call `endShell` after each test. */
export async function renderShell(path: string, options: RenderShellOptions = {}): Promise<RenderedShell> {
  closeShell();
  // The step back from the entry of a dialog that has just closed.
  await new Promise((resolve) => realSetTimeout(resolve));
  window.history.replaceState(null, '', path);
  if (options.token) localStorage.setItem('token', options.token);
  if (options.language) localStorage.setItem('language', options.language);
  const requests = stubNetwork({ ...defaultAnswers, ...options.api });
  const added = options.pages ?? [];
  const pages = [...defaultPages.filter(({ path }) => !added.some((page) => page.path === path)), ...added];
  const loader = loaderOf(pages);
  const { shell, element, dispose } = createShell({ map: mapOf(pages), visitor: 50, createLoader: () => loader });
  end = dispose;
  const result = await act(async () => render(element));
  return { ...result, shell, requests };
}

/** A page with a button to each address. */
export const pageOfLinks = (page: TestPage, addresses: string[]): TestPage => ({
  ...page,
  Component: function Links() {
    const navigate = useNavigate();
    return addresses.map((to) => (
      <button type="button" key={to} onClick={() => void navigate(to)}>{`go ${to}`}</button>
    ));
  },
});

/** Navigates like the Back button or a link of another page. */
export async function navigate(to: string): Promise<void> {
  await act(async () => {
    window.history.pushState({ key: to, idx: 1 }, '', to);
    window.dispatchEvent(new PopStateEvent('popstate', { state: { key: to, idx: 1 } }));
  });
}

/** Like closing the tab. */
export function closeShell(): void {
  // A dialog that is still open would go back one entry later, in the next test.
  window.history.replaceState(null, '');
  cleanup();
  end?.();
  end = null;
  document.documentElement.className = '';
  for (const region of document.querySelectorAll('[data-ui-live]')) region.replaceChildren();
  queryClient.clear();
}

/** Closes the shell and clears stored data. */
export function endShell(): void {
  closeShell();
  localStorage.clear();
  sessionStorage.clear();
  void changeLanguage('zh-CN');
}

export const token = { token_type: 'Bearer', access_token: 'abc', expires_in: 3600 };
export const login = 'POST /api/front/app/login';
export const sendCode = 'POST /api/front/app/send_code';
export const codeSent = { expires_in: 300, resend_after: 60 };

export const bodies = (requests: StubbedRequest[], path: string) =>
  requests.filter(({ url }) => url.endsWith(path)).map(({ body }) => body);
export const posts = (requests: StubbedRequest[]) => requests.filter(({ method }) => method === 'POST');

export async function openLogin(
  api: RenderShellOptions['api'] = {},
  language?: RenderShellOptions['language'],
  purpose?: 'buy',
) {
  const rendered = await renderShell('/home', { api, language });
  act(() => void rendered.shell.overlays.openLogin('', purpose));
  await screen.findByRole('dialog');
  return { ...rendered, user: userEvent.setup() };
}
