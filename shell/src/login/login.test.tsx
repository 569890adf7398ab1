import { get } from '@shop/shared/http';
import { useQuery } from '@shop/shared/query';
import { failWith, inTurn, neverAnswers, noConnection, notJson, pendingAnswer } from '@shop/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { endShell, login, openLogin, posts, renderShell, token, waitingCoupon } from '../testing/render-shell';
import { greetingOf } from './account-dialogs';

afterEach(() => {
  jest.useRealTimers();
  endShell();
});

const button = (name: string | RegExp) => screen.getByRole('button', { name });

/** Fills the form in password mode and clicks the button. */
async function signInByPassword(user = userEvent.setup()) {
  await user.click(screen.getByRole('tab', { name: '密码登录' }));
  await user.type(screen.getByLabelText('手机号'), '13800000000');
  await user.type(screen.getByLabelText('密码'), 'demo1234');
  await user.click(submit());
  return user;
}
const submit = () => within(screen.getByRole('dialog')).getByRole('button', { name: '登录' });

it('the sign-in requires the phone, which the browser may fill in, and by the chosen tab the password or the code', async () => {
  const user = userEvent.setup();
  const { requests } = await openLogin();
  await user.click(submit());
  expect(await screen.findByText('手机号不能为空')).toBeVisible();
  expect(screen.getByText('验证码不能为空')).toBeVisible();
  expect(screen.getByLabelText('手机号')).toHaveFocus();
  expect(screen.getByLabelText('手机号')).toHaveAttribute('autocomplete', 'tel');
  await user.click(screen.getByRole('tab', { name: '密码登录' }));
  expect(screen.getByLabelText('手机号')).toHaveAttribute('autocomplete', 'username');
  await user.click(submit());
  expect(await screen.findByText('密码不能为空')).toBeVisible();
  expect(screen.queryByText('验证码不能为空')).not.toBeInTheDocument();
  expect(posts(requests)).toEqual([]);
});

it('the sign-in has the agreement checked, links its articles, and requires it', async () => {
  await openLogin();
  const agree = screen.getByRole('checkbox');
  expect(agree).toBeChecked();
  expect(screen.getByRole('link', { name: '《用户服务协议》' })).toHaveAttribute('href', '/article/agreement');
  expect(screen.getByRole('link', { name: '《隐私政策》' })).toHaveAttribute('href', '/article/privacy');
  expect(screen.getByRole('link', { name: '《儿童个人信息保护指引》' })).toHaveAttribute('href', '/article/guide');
  await userEvent.click(agree);
  expect(submit()).toBeDisabled();
});

it('a sign-in stores the token, greets, fetches the user, checks for a coupon, and closes', async () => {
  const { requests, shell } = await openLogin({ [login]: token });
  await signInByPassword();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(localStorage.getItem('token')).toBe('Bearer abc');
  expect(shell.session.user?.nickname).toBe('小星');
  expect(screen.getByText(/好，小星$/)).toBeVisible();
  expect(posts(requests)[0]).toMatchObject({
    body: { phone: '13800000000', login_type: 'password', password: 'demo1234' },
  });
  const after = requests.slice(requests.findIndex(({ url }) => url.endsWith('/login')) + 1).map(({ url }) => url);
  expect(after.indexOf('/api/front/user/info')).toBeLessThan(after.indexOf('/api/front/coupon/check'));
  expect(requests.find(({ url }) => url.endsWith('/info'))?.headers.Authorization).toBe('Bearer abc');
});

it('a sign-in to buy resolves with its result, and shows no greeting and no coupon before the home page', async () => {
  const user = userEvent.setup();
  const { shell, requests } = await renderShell('/goods/1', { api: { [login]: token, ...waitingCoupon } });
  const ends: boolean[] = [];
  const toBuy = () => act(() => void shell.overlays.openLogin('', 'buy').then((end) => ends.push(end)));
  toBuy();
  const link = await screen.findByRole('link', { name: '《用户服务协议》' });
  expect(link).toHaveAttribute('target', '_blank');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(ends).toEqual([false]));
  toBuy();
  // The code registers by itself, so there is no other offer to register.
  expect(await screen.findByText(/新手机号会自动注册/)).toBeVisible();
  expect(screen.queryByRole('button', { name: '注册' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('tab', { name: '密码登录' }));
  expect(screen.queryByText(/新手机号会自动注册/)).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: '注册' }));
  expect(screen.getByText('注册后将按你的选择自动下单')).toBeVisible();
  await user.click(submit());
  await signInByPassword(user);
  await waitFor(() => expect(ends).toEqual([false, true]));
  expect(window.location.pathname).toBe('/goods/1');
  expect(screen.queryByText(/好，小星$/)).not.toBeInTheDocument();
  expect(requests.filter(({ url }) => url.includes('/coupon/getCoupon'))).toEqual([]);
  await user.click(within(screen.getByRole('banner')).getByRole('button', { name: '返回' }));
  expect(await screen.findByRole('dialog', { name: '送你一张优惠券' })).toBeVisible();
});

it('a sign-in opens the guarded page that the user requested', async () => {
  const { shell } = await renderShell('/home', { api: { [login]: token } });
  await userEvent.click(screen.getAllByRole('link', { name: '我的订单' })[0] as HTMLElement);
  await screen.findByRole('dialog');
  expect(window.location.pathname).toBe('/home');
  await signInByPassword();
  await screen.findByText('page /order');
  expect(shell.overlays.account).toBe('none');
});

it('the login dialog is empty when it is opened again', async () => {
  const { shell } = await openLogin();
  await userEvent.type(screen.getByLabelText('手机号'), '138');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  act(() => void shell.overlays.openLogin());
  expect(await screen.findByLabelText('手机号')).toHaveValue('');
});

it('login and register replace each other, with the focus in the first field and without the other’s errors', async () => {
  const user = userEvent.setup();
  await openLogin();
  await user.click(submit());
  await screen.findByText('手机号不能为空');
  await user.click(button('注册'));
  expect(screen.getByRole('dialog', { name: '注册' })).toBeVisible();
  expect(screen.getByLabelText('手机号')).toHaveFocus();
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  expect(screen.queryByText('手机号不能为空')).not.toBeInTheDocument();
  await user.click(submit());
  expect(screen.getByRole('dialog', { name: '登录' })).toBeVisible();
  expect(screen.queryByText('手机号不能为空')).not.toBeInTheDocument();
});

it('the coupon prompt follows the greeting', async () => {
  const { shell } = await renderShell('/home', { api: waitingCoupon });
  jest.useFakeTimers();
  await act(() => shell.session.signIn(token));
  await act(() => jest.advanceTimersByTimeAsync(1500));
  expect(screen.getByText(/好，小星$/)).toBeVisible();
  expect(shell.coupons.visible).toBe(true);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await act(() => jest.advanceTimersByTimeAsync(600));
  expect(screen.queryByText(/好，小星$/)).not.toBeInTheDocument();
  jest.useRealTimers();
  expect(await screen.findByRole('dialog', { name: '送你一张优惠券' })).toBeVisible();
});

describe('the page beneath a sign-in', () => {
  const list = 'GET /api/front/search/hot';
  const Words = () => {
    const words = useQuery({ queryKey: ['test', 'words'], queryFn: () => get('/api/front/search/hot') });
    return <p>{`${words.data}, ${words.isFetching ? 'asked for' : 'answered'}`}</p>;
  };
  const pages = [{ path: '/home', title: '首页', flags: { topBar: true }, Component: Words }];
  const answers = () => ({ [login]: token, [list]: inTurn(['gems'], neverAnswers()) });

  it('after a sign-in the guest’s page stays visible until its data is refetched, and the dialog closes', async () => {
    const { shell } = await renderShell('/home', { pages, api: answers() });
    await screen.findByText('gems, answered');
    act(() => void shell.overlays.openLogin());
    await screen.findByRole('dialog');
    await signInByPassword();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(await screen.findByText('gems, asked for')).toBeVisible();
  });

  it('data of an earlier token, which may be another user’s, disappears at once after a sign-in', async () => {
    const { shell } = await renderShell('/home', { pages, api: answers(), token: 'Bearer earlier' });
    await screen.findByText('gems, answered');
    await act(() => shell.session.signIn(token));
    expect(await screen.findByText('undefined, asked for')).toBeVisible();
  });
});

describe('a failing sign-in', () => {
  it('shows an error for an answer without a token', async () => {
    const { shell } = await openLogin({ [login]: {} });
    await signInByPassword();
    expect(await screen.findByText(/登录出错了/)).toBeVisible();
    expect(shell.session.hasToken).toBe(false);
    expect(screen.getByRole('dialog')).toBeVisible();
  });

  it('resets the session and shows an error when the user info fails', async () => {
    const { shell } = await openLogin({ [login]: token, 'GET /api/front/user/info': failWith(50000, 'boom') });
    await signInByPassword();
    expect(await screen.findByText('登录没有完成，请再试一次')).toBeVisible();
    expect(shell.session.hasToken).toBe(false);
    expect(localStorage.getItem('token')).toBeNull();
  });

  it('shows the server’s refusal at its field, keeps the form and adds no second message', async () => {
    await openLogin({ [login]: failWith(41001, '手机号或密码错误') });
    await signInByPassword();
    await waitFor(() => expect(screen.getByLabelText('密码')).toHaveAccessibleDescription('手机号或密码错误'));
    expect(screen.getByLabelText('密码')).toHaveFocus();
    expect(screen.getAllByText('手机号或密码错误')).toHaveLength(1);
    expect(screen.getByLabelText('手机号')).toHaveValue('13800000000');
    expect(submit()).not.toHaveAttribute('aria-busy');
  });

  it.each([
    ['验证码', failWith(41002, '验证码错误'), '验证码错误'],
    ['手机号', failWith(40001, 'bad', { errors: { phone: '手机号已停用' } }), '手机号已停用'],
  ])('shows the server’s refusal at the field “%s”', async (label, answer, message) => {
    const user = userEvent.setup();
    await openLogin({ [login]: answer });
    await user.type(screen.getByLabelText('手机号'), '13800000000');
    await user.type(screen.getByLabelText('验证码'), '123456');
    await waitFor(() => expect(screen.getByLabelText(label)).toHaveAccessibleDescription(message));
    expect(screen.getByLabelText(label)).toHaveFocus();
  });

  it('shows above the button when the next try is possible', async () => {
    await openLogin({ [login]: failWith(42901, '操作过于频繁，请 4 分钟后再试', { retry_after: 230 }) });
    await signInByPassword();
    expect(await screen.findByRole('alert')).toHaveTextContent('操作过于频繁，请 4 分钟后再试');
    expect(screen.getAllByText('操作过于频繁，请 4 分钟后再试')).toHaveLength(1);
  });

  it.each([
    ['no connection', noConnection(), '网络已断开'],
    ['a gateway’s page', notJson(502, '<h1>Bad gateway</h1>'), '网关错误'],
  ])('shows an error after %s, and the next attempt succeeds', async (_, failure, message) => {
    const { shell } = await openLogin({ [login]: inTurn(failure, token) });
    const user = await signInByPassword();
    expect(await screen.findByText(new RegExp(message))).toBeVisible();
    expect(screen.getByLabelText('密码')).toHaveValue('demo1234');
    await user.click(submit());
    await waitFor(() => expect(shell.session.hasUser).toBe(true));
  });

  it('accepts the answer to a sign-in during which the user went back, and stays on the page', async () => {
    const call = pendingAnswer();
    const { shell, requests } = await renderShell('/home', { api: { [login]: call.stub } });
    await userEvent.click(screen.getAllByRole('link', { name: '我的订单' })[0] as HTMLElement);
    await screen.findByRole('dialog');
    await signInByPassword();
    await waitFor(() => expect(posts(requests)).toHaveLength(1));
    act(() => window.history.back());
    await act(async () => call.answer(token));
    await waitFor(() => expect(shell.session.hasUser).toBe(true));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(posts(requests)).toHaveLength(1);
    expect(window.location.pathname).toBe('/home');
  });
});

const register = 'POST /api/front/app/register';

it('the registration requires phone, code and password, sends the invite code of the address without showing it, and signs in', async () => {
  const { requests, shell } = await renderShell('/home?invite_code=ABC123', { api: { [register]: token } });
  act(() => shell.overlays.openRegister());
  const dialog = within(await screen.findByRole('dialog', { name: '注册' }));
  const submitRegister = () => dialog.getByRole('button', { name: '注册' });
  expect(dialog.queryByDisplayValue('ABC123')).not.toBeInTheDocument();
  await userEvent.click(submitRegister());
  for (const text of ['手机号不能为空', '验证码不能为空', '密码不能为空'])
    expect(await screen.findByText(text)).toBeVisible();
  expect(posts(requests)).toEqual([]);
  await userEvent.type(screen.getByLabelText('手机号'), '13900000003');
  await userEvent.type(screen.getByLabelText('验证码'), '123456');
  await userEvent.type(screen.getByLabelText('密码'), 'longenough');
  await userEvent.click(submitRegister());
  await waitFor(() => expect(shell.session.hasUser).toBe(true));
  expect(posts(requests)[0]?.body).toEqual({
    phone: '13900000003',
    verify: '123456',
    password: 'longenough',
    invite_code: 'ABC123',
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

it.each([
  [0, 7, 'earlyMorning'],
  [8, 11, 'morning'],
  [12, 13, 'noon'],
  [14, 17, 'afternoon'],
  [18, 23, 'evening'],
])('greets from hour %i to %i with %s', (from, to, greeting) => {
  expect([greetingOf(from), greetingOf(to)]).toEqual([greeting, greeting]);
});
