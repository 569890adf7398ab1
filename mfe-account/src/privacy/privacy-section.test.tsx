import { failWith, inTurn, pendingAnswer, renderPage, testUser } from '@shop/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from '../setting/setting-page';
import { saveFile } from './privacy-section';

const closure = 'GET /api/front/user/closure';
const close = 'POST /api/front/user/closure';
const exporting = 'POST /api/front/user/export';
const ready = { reasons: [], balances: [], days: 15, withdrawn_at: null };
const open = (api: Record<string, unknown> = {}, session: Record<string, unknown> = {}) =>
  renderPage(page, { path: '/user/setting', session: { user: testUser, ...session }, api });
const sheet = async (name: string) => {
  await userEvent.click(screen.getByRole('button', { name }));
  return screen.findByRole('dialog', { name });
};
const fillPassword = async (where: HTMLElement) => {
  await userEvent.click(within(where).getByLabelText('登录密码', { selector: 'input:not([type=radio])' }));
  await userEvent.paste('demo1234');
};

afterEach(() => jest.restoreAllMocks());

it('the download of the user’s data asks for the password and saves the file from its address', async () => {
  const save = jest.spyOn(saveFile, 'from').mockImplementation(() => {});
  const { requests } = await open({ [exporting]: { url: '/api/front/user/export?ticket=t', expires_in: 120 } });
  const dialog = await sheet('下载我的数据');
  await fillPassword(dialog);
  await userEvent.click(within(dialog).getByRole('button', { name: '下载' }));
  await waitFor(() => expect(save).toHaveBeenCalledWith('/api/front/user/export?ticket=t'));
  expect(requests.at(-1)?.body).toEqual({ password: 'demo1234' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it.each([
  ['a phone', { phone: '13800000000' }, '验证码将发送至 138****0000', { phone: '13800000000' }],
  [
    'an email address',
    { phone: '', signInEmail: 'fang@mail.example' },
    '验证码将发送至邮箱 fa***@mail.example',
    { email: 'fang@mail.example' },
  ],
])('accepts a code that is sent to %s for this purpose', async (_, identifier, shown, sent) => {
  jest.spyOn(saveFile, 'from').mockImplementation(() => {});
  const { requests } = await open(
    {
      'POST /api/front/app/send_code': { expires_in: 300, resend_after: 60 },
      [exporting]: { url: '/x', expires_in: 120 },
    },
    { user: { ...testUser, hasPassword: false, ...identifier } },
  );
  const dialog = await sheet('下载我的数据');
  expect(within(dialog).getByText(shown)).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: '获取验证码' }));
  await waitFor(() => expect(requests.at(-1)?.body).toEqual({ ...sent, scene: 'account' }));
  await userEvent.type(within(dialog).getByLabelText('验证码', { selector: 'input' }), '123456');
  await userEvent.click(within(dialog).getByRole('button', { name: '下载' }));
  await waitFor(() => expect(requests.at(-1)?.body).toEqual({ verify: '123456' }));
});

it('links to support for a user with neither phone nor password', async () => {
  const openSupport = jest.fn();
  await open({}, { user: { ...testUser, hasPassword: false, phone: '' }, openSupport });
  const dialog = await sheet('下载我的数据');
  await userEvent.click(within(dialog).getByRole('button', { name: '联系客服' }));
  expect(openSupport).toHaveBeenCalled();
});

it('shows a loading state, then what blocks the closing with amounts and links, and no form', async () => {
  const call = pendingAnswer();
  await open({ [closure]: call.stub });
  const dialog = await sheet('注销账号');
  expect(dialog.querySelector('.ui-skeleton')).not.toBeNull();
  const balances = [
    { currency: 'CNY', balance: '12.30', frozen: '1.00' },
    { currency: 'USD', balance: '4.00', frozen: '0.00' },
  ];
  await act(async () => call.answer({ ...ready, reasons: ['balance', 'orders'], balances }));
  const balance = await within(dialog).findByRole('link', { name: /钱包余额.*联系客服原路退回/ });
  expect(balance).toHaveTextContent('¥12.30 · 冻结 ¥1.00 · $4.00');
  expect(balance).toHaveAttribute('href', '/user/wallet');
  expect(within(dialog).getByRole('link', { name: /未完结的订单/ })).toHaveAttribute('href', '/order');
  expect(within(dialog).getByRole('button', { name: '联系客服' })).toBeVisible();
  expect(within(dialog).queryByRole('form')).toBeNull();
});

it('closing the account needs the password and a second confirmation, and sends nothing when cancelled', async () => {
  const logout = jest.fn(async () => {});
  const close_at = '2026-12-07T00:00:00.000Z';
  const { requests } = await open({ [closure]: ready, [close]: { close_at } }, { logout });
  const dialog = await sheet('注销账号');
  expect(await within(dialog).findByText(/15 天内重新登录，即撤回注销/)).toBeVisible();
  await fillPassword(dialog);
  const submit = within(dialog).getByRole('button', { name: '注销账号' });
  await userEvent.click(submit);
  let question = await screen.findByRole('alertdialog');
  await userEvent.click(within(question).getByRole('button', { name: '取消' }));
  await waitFor(() => expect(question).not.toBeInTheDocument());
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
  await userEvent.click(submit);
  question = await screen.findByRole('alertdialog');
  await userEvent.click(within(question).getByRole('button', { name: '注销账号' }));
  await waitFor(() => expect(logout).toHaveBeenCalled());
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ password: 'demo1234' });
});

it('shows a new blocker when the server refuses', async () => {
  const blocked = { ...ready, reasons: ['recharges'] };
  await open({
    [closure]: inTurn(ready, blocked),
    [close]: failWith(41021, '还有未完结的', { reasons: ['recharges'] }),
  });
  const dialog = await sheet('注销账号');
  await within(dialog).findByText(/即撤回注销/);
  await fillPassword(dialog);
  await userEvent.click(within(dialog).getByRole('button', { name: '注销账号' }));
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '注销账号' }));
  expect(await within(dialog).findByRole('link', { name: /未完成的充值/ })).toBeVisible();
});
