import { get } from '@shop/shared/http';
import { useQuery } from '@shop/shared/query';
import { useNavigate } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { inTurn, noConnection, pendingAnswer, sessionEnded, stubNetwork } from '@shop/shared/testing';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { defaultAnswers, endShell, renderShell, type TestPage } from '../testing/render-shell';
import { SessionStore } from './session.store';

afterEach(endShell);

const info = 'GET /api/front/user/info';
const list = 'GET /api/front/search/hot';
const wordsOf = (count: number) => Array.from({ length: count }, (_, index) => `word ${index}`);
const path = () => window.location.pathname;
const otherUser = { ...(defaultAnswers[info] as object), id: 8, nickname: '别人' };

const balances = { CNY: '10.00', USD: '0.00' };

it('maps the user info, with 0 for missing flags', async () => {
  const same = { avatar: '/a.webp', balances, birthday: '1999-12-31', nickname: '小星', phone: '13800000000' };
  stubNetwork({ [info]: { ...same, id: 7, id_card_code: '1101**********1234' } });
  const session = new SessionStore();
  expect([session.hasUser, session.user]).toEqual([false, null]);
  await session.refreshUser();
  expect(session.hasUser).toBe(true);
  const mapped = { id: '7', idCardCode: '1101**********1234', isReal: 0, isUsable: 0, sex: 0 };
  expect(session.user).toMatchObject({ ...same, ...mapped });
});

it('fetches the user again after a payment, even if an earlier request is pending', async () => {
  const [early, late] = [pendingAnswer(), pendingAnswer()];
  stubNetwork({ [info]: inTurn(early.stub, late.stub) });
  const store = new SessionStore();
  const user = (balance: string) => ({ id: 7, balance, balances });
  localStorage.setItem('token', 'Bearer x');
  store.restore();
  const requests = [store.ensureUser(), store.refreshUser()];
  late.answer(user('5.00'));
  early.answer(user('10.00'));
  await Promise.all(requests);
  expect(store.user?.balance).toBe('5.00');
});

const Form = observer(function Form() {
  const session = useSession();
  const navigate = useNavigate();
  const words = useQuery({ queryKey: ['account', 'test'], queryFn: () => get('/api/front/search/hot') });
  if (!words.data) return <p>loading</p>;
  return (
    <>
      <p>{`${session.user?.nickname}, ${words.data.length} words`}</p>
      <label>
        nickname
        <input />
      </label>
      <button type="button" onClick={() => void get('/api/front/search/hot').catch(() => {})}>
        save
      </button>
      <button type="button" onClick={() => void navigate('/goods')}>
        leave
      </button>
      <button type="button" onClick={() => void session.logout()}>
        sign out
      </button>
    </>
  );
});
const guarded: TestPage = {
  path: '/user',
  title: '个人中心',
  flags: { topBar: true, requiresLogin: true },
  Component: Form,
};
const open: TestPage = { ...guarded, path: '/home', title: '首页', flags: { topBar: true } };

/** Renders a page, types into it and lets its session expire: the token was revoked, or its user was disabled. */
async function expireAt(page: TestPage, user: unknown = defaultAnswers[info]) {
  const rendered = await renderShell(page.path, {
    pages: [page],
    token: 'Bearer old',
    api: {
      [info]: inTurn(defaultAnswers[info], user),
      [list]: inTurn(wordsOf(3), sessionEnded(), wordsOf(4)),
    },
  });
  await screen.findByText('小星, 3 words');
  await userEvent.type(screen.getByLabelText('nickname'), '星星');
  await userEvent.click(screen.getByRole('button', { name: 'save' }));
  return rendered;
}
const signIn = (shell: Awaited<ReturnType<typeof expireAt>>['shell']) =>
  act(() => shell.session.signIn({ token_type: 'Bearer', access_token: 'new', expires_in: 1 }));

it('a session that expires on a guarded page opens the login over it, keeps the input, and resumes after the same user signs in', async () => {
  const { shell } = await expireAt(guarded);
  expect(await screen.findByRole('dialog', { name: '登录' })).toBeVisible();
  expect(screen.getByText(/登录已失效，重新登录后从这里继续/)).toBeVisible();
  expect(screen.queryByText('登录已失效，请重新登录')).not.toBeInTheDocument();
  expect(path()).toBe('/user');
  expect(localStorage.getItem('token')).toBeNull();
  expect(shell.session.token).toBe('');
  await signIn(shell);
  act(() => shell.overlays.closeAccount());
  expect(await screen.findByText('小星, 4 words')).toBeVisible();
  expect(screen.getByLabelText('nickname')).toHaveValue('星星');
  expect(path()).toBe('/user');
  expect(shell.session).toMatchObject({ token: 'Bearer new', expired: false });
});

it('a session that expires on a guarded page is reset when the login is closed, and no login opens again', async () => {
  const { shell } = await expireAt(guarded);
  await userEvent.click(await screen.findByRole('button', { name: '关闭' }));
  await waitFor(() => expect(path()).toBe('/home'));
  expect(shell.session).toMatchObject({ hasToken: false, user: null, expired: false });
  expect(shell.overlays.account).toBe('none');
  expect(screen.queryByText(/小星/)).not.toBeInTheDocument();
});

it('a session that expires on a guarded page reloads the shop when another user signs in', async () => {
  const { shell } = await expireAt(guarded, otherUser);
  const fresh = jest.fn();
  shell.session.connect({
    onSignedIn: fresh,
    checkCoupon: fresh,
    onSignedOut: fresh,
    onExpired: fresh,
    onSignedInElsewhere: fresh,
    onUserChanged: () => fresh('user changed'),
  });
  await signIn(shell);
  expect(fresh.mock.calls).toEqual([['user changed']]);
});

it('a session that expires on a guarded page is reset when the user opens a public page', async () => {
  const { shell } = await expireAt(guarded);
  await userEvent.click(screen.getByRole('button', { name: 'leave', hidden: true }));
  await waitFor(() => expect(path()).toBe('/goods'));
  expect(shell.session).toMatchObject({ hasToken: false, user: null });
  expect(shell.overlays.account).toBe('none');
});

it('a session that expires on a guarded page resumes when the same user signs in in another tab', async () => {
  const { shell } = await expireAt(guarded);
  localStorage.setItem('token', 'Bearer other');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'token' })));
  expect(await screen.findByText('小星, 4 words')).toBeVisible();
  expect(screen.getByLabelText('nickname')).toHaveValue('星星');
  expect(shell.session).toMatchObject({ token: 'Bearer other', expired: false });
  expect(shell.overlays.account).toBe('none');
});

it('a session that expires on a public page is reset and the page stays', async () => {
  const { shell } = await expireAt(open);
  await waitFor(() => expect(shell.session.hasToken).toBe(false));
  expect(shell.session).toMatchObject({ user: null });
  expect(screen.getByRole('alert')).toHaveTextContent('登录已失效，请重新登录');
  expect(shell.overlays.account).toBe('none');
  expect(path()).toBe('/home');
  // Public data is fetched again without the token.
  expect(await screen.findByText('undefined, 4 words')).toBeVisible();
});

it('signing out shows its progress, and keeps the session that began in another tab meanwhile', async () => {
  const revocation = pendingAnswer();
  const { shell } = await renderShell('/user', {
    pages: [guarded],
    token: 'Bearer old',
    api: { [list]: wordsOf(3), 'POST /api/front/app/logout': revocation.stub },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'sign out' }));
  expect(await screen.findByText('正在退出登录…')).toBeVisible();
  localStorage.setItem('token', 'Bearer other');
  await act(async () => void window.dispatchEvent(new StorageEvent('storage', { key: 'token' })));
  await act(async () => revocation.answer(null));
  await waitFor(() => expect(screen.queryByText('正在退出登录…')).not.toBeInTheDocument());
  expect(localStorage.getItem('token')).toBe('Bearer other');
  expect(shell.session).toMatchObject({ token: 'Bearer other', hasUser: true });
  expect(path()).toBe('/user');
});

it('a sign-in without a user keeps the session that began in another tab meanwhile', async () => {
  const user = pendingAnswer();
  const { shell } = await renderShell('/home', { api: { [info]: inTurn(user.stub, defaultAnswers[info]) } });
  const failed = shell.session.signIn({ token_type: 'Bearer', access_token: 'new' }).catch(() => 'failed');
  localStorage.setItem('token', 'Bearer other');
  await act(async () => void window.dispatchEvent(new StorageEvent('storage', { key: 'token' })));
  await act(async () => user.answer(noConnection()));
  await expect(failed).resolves.toBe('failed');
  expect(localStorage.getItem('token')).toBe('Bearer other');
  expect(shell.session.user?.id).toBe('7');
});

it.each([
  ['', null],
  [' of a session that has already expired', sessionEnded()],
])('signing out%s opens no login', async (_, answer) => {
  const { requests, shell } = await renderShell('/user', {
    pages: [guarded],
    token: 'Bearer old',
    api: { [list]: wordsOf(3), 'POST /api/front/app/logout': answer },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'sign out' }));
  await waitFor(() => expect(path()).toBe('/home'));
  expect(requests.map(({ url }) => url)).toContain('/api/front/app/logout');
  expect(shell.session).toMatchObject({ token: '', user: null });
  expect(shell.overlays.account).toBe('none');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
