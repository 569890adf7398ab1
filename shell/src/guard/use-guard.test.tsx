import { natives } from '@platform/host/natives';
import { useNavigate } from '@shop/shared/router';
import { runInAction } from '@shop/shared/state';
import {
  failWith,
  failWithStatus,
  inTurn,
  noConnection,
  pendingAnswer,
  sessionEnded,
  timesOut,
} from '@shop/shared/testing';
import { Sheet } from '@shop/shared/ui';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { Shell } from '../shell-context';
import { defaultAnswers, endShell, navigate, pageOfLinks, renderShell, type TestPage } from '../testing/render-shell';
import { orderOfPaySuccess } from './guard';

// Chromium calls the listeners of the window's own events in the order of their registration, as if all of them captured.
for (const method of ['addEventListener', 'removeEventListener'] as const) {
  const call = window[method].bind(window);
  window[method] = (type: string, listener: EventListenerOrEventListenerObject) => call(type, listener, true);
}

afterEach(() => {
  jest.useRealTimers();
  endShell();
});

const path = () => window.location.pathname;
const config = 'GET /api/front/app/config';
const info = 'GET /api/front/user/info';
const user = defaultAnswers[info];
const countOf = (requests: Array<{ method: string; url: string }>, call: string) =>
  requests.filter(({ method, url }) => `${method} ${url}` === call).length;

const home = { path: '/home', title: '首页', flags: { topBar: true, tabBar: true } };
const linksPage = pageOfLinks(home, ['/goods', '/user', '/nowhere']);
const go = (to: string) => userEvent.click(screen.getByRole('button', { name: `go ${to}` }));

it.each([
  ['#/pages/order/pay-success?id=ABC123', '/order/detail/ABC123'],
  ['#/pages/order/pay-success?id=a%2Fb', '/order/detail/a%2Fb'],
  ['#/pages/order/pay-success', null],
  ['#/pages/order/pay-success?id=', null],
  ['#main', null],
  ['', null],
])('the hash %s resolves to %s', (hash, expected) => {
  expect(orderOfPaySuccess(hash)).toBe(expected);
});

it('the hash of the pay-success page opens the order of a signed-in user, and leaves no entry for Back', async () => {
  const entries = window.history.length;
  const { shell } = await renderShell('/#/pages/order/pay-success?id=A1', { token: 'Bearer x' });
  await screen.findByText('page /order/detail/:id');
  expect(path()).toBe('/order/detail/A1');
  expect(window.location.hash).toBe('');
  expect(shell.overlays.account).toBe('none');
  expect(window.history.length - entries).toBeLessThanOrEqual(1);
});

it('the hash of the pay-success page opens the order in an open tab', async () => {
  await renderShell('/home', { token: 'Bearer x' });
  await act(async () => {
    window.location.hash = '#/pages/order/pay-success?id=B2';
  });
  await screen.findByText('page /order/detail/:id');
  expect(path()).toBe('/order/detail/B2');
});

it('the hash of the pay-success page opens the login for a guest and remembers the order', async () => {
  const { shell } = await renderShell('/#/pages/order/pay-success?id=C3');
  await waitFor(() => expect(shell.overlays.account).toBe('login'));
  expect(path()).toBe('/home');
  expect(shell.overlays.addressAfterLogin).toBe('/order/detail/C3');
});

it('every navigation hides the drawer', async () => {
  const { shell } = await renderShell('/home', { pages: [linksPage] });
  act(() => shell.overlays.openDrawer());
  await userEvent.click(await screen.findByRole('link', { name: '首页' }));
  expect(shell.overlays.drawerVisible).toBe(false);
});

it('every navigation shows the progress bar at once and hides it after 200 ms', async () => {
  const { shell, container } = await renderShell('/home', { pages: [linksPage] });
  await waitFor(() => expect(shell.navigation.progressVisible).toBe(false));
  jest.useFakeTimers();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'go /goods' })));
  expect(path()).toBe('/goods');
  expect(container.querySelector('.shell-progress--on')).toBeInTheDocument();
  await act(() => jest.advanceTimersByTimeAsync(199));
  expect(shell.navigation.progressVisible).toBe(true);
  await act(() => jest.advanceTimersByTimeAsync(2));
  expect(container.querySelector('.shell-progress--on')).not.toBeInTheDocument();
  // The specification requires the bar alone, without a spinner.
  expect(container.querySelector('.ui-spinner')).not.toBeInTheDocument();
});

it('a navigation loads the config once, and again only after a failure', async () => {
  const { requests } = await renderShell('/home', {
    pages: [linksPage],
    api: { [config]: inTurn(failWith(50000), defaultAnswers[config]) },
  });
  await go('/goods');
  await waitFor(() => expect(countOf(requests, config)).toBe(2));
  await userEvent.click(within(screen.getByRole('banner')).getByRole('button', { name: '返回' }));
  await screen.findByRole('button', { name: 'go /goods' });
  expect(countOf(requests, config)).toBe(2);
});

it('a navigation sets the title in the language and records the last fifty visits', async () => {
  const { shell } = await renderShell('/home', { pages: [linksPage] });
  expect(document.title).toBe('首页 - 星点');
  await go('/goods');
  await waitFor(() => expect(document.title).toBe('全部游戏 - 星点'));
  act(() => shell.preferences.setLanguage('en'));
  await waitFor(() => expect(document.title).toBe('EN 全部游戏 - Stardot'));
  expect(shell.navigation.visited).toEqual(['/home', '/goods']);
  act(() => {
    for (let index = 0; index < 80; index += 1) shell.navigation.recordVisit(`/goods/${index}`);
  });
  expect(shell.navigation.visited).toHaveLength(50);
  expect(shell.navigation.visited.at(-1)).toBe('/goods/79');
});

it('a page has the brand in the title once', async () => {
  await renderShell('/article/agreement');
  expect(document.title).toBe('用户服务协议 - 星点');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^用户服务协议$/);
});

it('a navigation moves the focus to the new page when the clicked link is gone', async () => {
  await renderShell('/home', { pages: [linksPage] });
  await go('/goods');
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
});

/** Open overlays have an entry each. */
const leave = (steps: number) => act(async () => window.history.go(-steps));
const isAt = (address: string) => waitFor(() => expect(path()).toBe(address));

it('a change of page closes the sign-in of a purchase, and a later sign-in does not continue the purchase', async () => {
  const { shell } = await renderShell('/home', { pages: [linksPage] });
  await go('/goods');
  let answer: Promise<boolean> = Promise.resolve(true);
  act(() => {
    answer = shell.overlays.openLogin('', 'buy');
  });
  await screen.findByRole('dialog', { name: '登录' });
  await userEvent.click(screen.getByRole('button', { name: /\+86/ }));
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(2));
  await leave(3);
  await isAt('/home');
  await expect(answer).resolves.toBe(false);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(shell.overlays.isLoginToBuy).toBe(false);
});

it('a change of page closes a sign-in and a support dialog whose code has not loaded', async () => {
  const { shell } = await renderShell('/home', { pages: [linksPage] });
  let answer: Promise<boolean> = Promise.resolve(true);
  await act(async () => {
    answer = shell.overlays.openLogin();
    shell.overlays.openSupport();
    fireEvent.click(screen.getByRole('button', { name: 'go /goods' }));
  });
  await isAt('/goods');
  await expect(answer).resolves.toBe(false);
  expect(shell.overlays).toMatchObject({ account: 'none', supportVisible: false });
});

it('a change of page closes the sheet of a kept-alive page, also for the return to it', async () => {
  const sheetPage: TestPage = {
    path: '/home',
    Component: function SheetPage() {
      const [open, setOpen] = useState(false);
      return (
        <>
          <button type="button" onClick={() => setOpen(true)}>
            coupons
          </button>
          <Sheet open={open} onClose={() => setOpen(false)} title="Coupons">
            text
          </Sheet>
        </>
      );
    },
  };
  await renderShell('/goods', { pages: [sheetPage] });
  await navigate('/home');
  await userEvent.click(await screen.findByRole('button', { name: 'coupons' }));
  expect(screen.getByRole('dialog', { name: 'Coupons' })).toBeVisible();
  await leave(2);
  await isAt('/goods');
  await act(async () => window.history.forward());
  await screen.findByRole('button', { name: 'coupons' });
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

describe('a navigation after another shell went live', () => {
  const loads: Array<[string, unknown]> = [];
  beforeEach(() => {
    loads.length = 0;
    natives.reload = () =>
      void loads.push([window.location.href.replace(window.location.origin, ''), window.history.state]);
  });
  afterEach(() => {
    Reflect.deleteProperty(natives, 'reload');
  });
  const newShell = ({ releases }: Shell) =>
    act(() => {
      const [live] = releases.map.microFrontends.shell ?? [];
      if (!live) throw new Error('the map has no shell');
      const next = { ...live, metadata: { ...live.metadata, version: '2.0.0-2' } };
      const microFrontends = { ...releases.map.microFrontends, shell: [next] };
      runInAction(() => {
        releases.map = { ...releases.map, microFrontends };
      });
    });
  const startPage: TestPage = {
    path: '/home',
    Component: function StartPage() {
      const navigate = useNavigate();
      return (
        <button type="button" onClick={() => void navigate('/goods/7?from=list#price', { state: { uid: '8' } })}>
          leave
        </button>
      );
    },
  };

  it('a navigation after another shell went live loads the document of its address, in an entry of its own, with hash and state', async () => {
    window.history.pushState(null, '', '/');
    const { shell } = await renderShell('/home', { pages: [startPage] });
    const entries = window.history.length;
    newShell(shell);
    await userEvent.click(screen.getByRole('button', { name: 'leave' }));
    expect(loads).toEqual([['/goods/7?from=list#price', expect.objectContaining({ idx: 1, usr: { uid: '8' } })]]);
    expect(window.history.length).toBe(entries + 1);
  });

  it('Back after another shell went live loads the document of the earlier entry and keeps its place in the history', async () => {
    const { shell } = await renderShell('/home', { pages: [linksPage] });
    await go('/goods');
    const entries = window.history.length;
    newShell(shell);
    await act(async () => window.history.back());
    await waitFor(() => expect(loads).toEqual([['/home', expect.objectContaining({ idx: 0 })]]));
    expect(window.history.length).toBe(entries);
    // The page of the earlier shell stays until the document arrives.
    expect(screen.getByText('page /goods')).toBeVisible();
  });

  it('the skip link changes only the hash and keeps the document', async () => {
    const { shell } = await renderShell('/home', { pages: [linksPage] });
    newShell(shell);
    await act(async () => {
      window.location.hash = '#main';
    });
    await waitFor(() => expect(window.location.hash).toBe('#main'));
    expect(loads).toEqual([]);
  });
});

it('a token without a user checks for a coupon and fetches the user, each once', async () => {
  const { requests, shell } = await renderShell('/user', { token: 'Bearer x' });
  await waitFor(() => expect(shell.session.hasUser).toBe(true));
  expect(countOf(requests, 'GET /api/front/coupon/check')).toBe(1);
  expect(countOf(requests, info)).toBe(1);
  expect(requests.find(({ url }) => url.endsWith('/info'))?.headers.Authorization).toBe('Bearer x');
});

it.each([
  ['fails', failWith(50000)],
  ['has no id', { nickname: 'nobody' }],
  ['says that the session has ended', sessionEnded()],
])('a token without a user resets the session when the user info %s', async (_, answer) => {
  const { shell } = await renderShell('/home', { token: 'Bearer x', api: { [info]: answer } });
  await waitFor(() => expect(shell.session.hasToken).toBe(false));
  expect(shell.session.hasUser).toBe(false);
  expect(localStorage.getItem('token')).toBeNull();
  expect(path()).toBe('/home');
});

it.each([
  ['a lost connection', noConnection()],
  ['no answer in time', timesOut()],
  ['an error of a proxy', failWithStatus(502)],
])(
  'keeps its token after %s, and asks again at the next navigation and when the device is online again',
  async (_, answer) => {
    const { shell, requests } = await renderShell('/home', {
      pages: [linksPage],
      token: 'Bearer x',
      api: { [info]: inTurn(answer, answer, user) },
    });
    await waitFor(() => expect(countOf(requests, info)).toBe(1));
    await go('/goods');
    await waitFor(() => expect(countOf(requests, info)).toBe(2));
    expect(localStorage.getItem('token')).toBe('Bearer x');
    await act(async () => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(shell.session.user?.id).toBe('7'));
  },
);

it('an invalid token leaves a guarded page and opens the login, which returns to it', async () => {
  const { shell } = await renderShell('/order', { token: 'Bearer x', api: { [info]: failWith(401) } });
  await screen.findByRole('dialog', { name: '登录' });
  expect(path()).toBe('/home');
  expect(shell.overlays.addressAfterLogin).toBe('/order');
});

it('the answer to an earlier token is ignored after a sign-in', async () => {
  const old = pendingAnswer();
  const { shell } = await renderShell('/home', { token: 'Bearer old', api: { [info]: inTurn(old.stub, user) } });
  await act(() => shell.session.signIn({ token_type: 'Bearer', access_token: 'new', expires_in: 1 }));
  await act(async () => old.answer({ id: 99, nickname: 'somebody else' }));
  expect(shell.session.user?.id).toBe('7');
  expect(shell.session.token).toBe('Bearer new');
});

it('no redirect applies to a page without layout, and its link to a guarded address opens the login at /', async () => {
  const { shell } = await renderShell('/youxi');
  expect(await screen.findByText('page /youxi')).toBeVisible();
  expect(screen.queryByRole('banner')).not.toBeInTheDocument();
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  await navigate('/user');
  await screen.findByRole('dialog', { name: '登录' });
  expect(path()).toBe('/home');
  expect(shell.overlays.addressAfterLogin).toBe('/user');
});

it('a guarded link without a token opens the login and keeps the current page', async () => {
  const { shell } = await renderShell('/home', { pages: [linksPage] });
  await go('/user');
  await screen.findByRole('dialog', { name: '登录' });
  expect(path()).toBe('/home');
  expect(shell.navigation.visited).toEqual(['/home']);
  await waitFor(() => expect(shell.navigation.progressVisible).toBe(false));
});

it('a stored token that is not restored yet counts as a token, as in the first moments of a rendered document', async () => {
  await renderShell('/home', { pages: [linksPage] });
  localStorage.setItem('token', 'Bearer x');
  await go('/user');
  expect(path()).toBe('/user');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('an unknown address redirects to /404, on load and later', async () => {
  await renderShell('/no/such/page');
  expect(path()).toBe('/404');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('页面不存在');
  expect(document.title).toBe('页面不存在 - 星点');
  endShell();
  await renderShell('/home', { pages: [linksPage] });
  await go('/nowhere');
  await waitFor(() => expect(path()).toBe('/404'));
  await userEvent.click(await screen.findByRole('link', { name: '返回首页' }));
  await waitFor(() => expect(path()).toBe('/home'));
});

it('an answer with code 403 redirects to /403', async () => {
  const { shell } = await renderShell('/home', { token: 'Bearer x', api: { [info]: inTurn(user, failWith(403)) } });
  await waitFor(() => expect(shell.session.hasUser).toBe(true));
  await act(() => shell.session.refreshUser().catch(() => {}));
  await waitFor(() => expect(path()).toBe('/403'));
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('没有访问权限');
});
