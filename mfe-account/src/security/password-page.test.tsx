import { failWith, renderPage, testUser } from '@shop/shared/testing';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './password-page';

const call = 'POST /api/front/app/setPassword';
const send = 'POST /api/front/app/send_code';
const open = (api: Record<string, unknown> = {}, changes: object = {}) =>
  renderPage(page, { path: '/user/password', session: { user: { ...testUser, ...changes } }, api });
/** Pastes whole texts, as a password manager does, because jsdom takes 15 ms for each key. */
const fill = async (old: string | null, password: string, confirm = password) => {
  const put = async (label: string, text: string) => {
    if (!text) return;
    await userEvent.click(await screen.findByLabelText(label, { selector: 'input:not([type=radio])' }));
    await userEvent.paste(text);
  };
  await put('旧密码', old ?? '');
  await put('新密码', password);
  await put('确认新密码', confirm);
};
const save = () => screen.getByRole('button', { name: '保存新密码' });

it('changes the password with the old one, once for two clicks', async () => {
  const { requests } = await open({ [call]: { updated: true } });
  await fill('demo1234', 'better-5678');
  await userEvent.dblClick(save());
  expect(await screen.findByTestId('elsewhere')).toBeVisible();
  expect(requests.map((request) => request.body)).toEqual([{ old_password: 'demo1234', password: 'better-5678' }]);
});

it('asks for a code only when the account has no password, and mails it to a user who signs in by email', async () => {
  const { requests } = await open(
    { [send]: { expires_in: 300, resend_after: 60 }, [call]: { updated: true } },
    { hasPassword: false, phone: '', signInEmail: 'fang@mail.example' },
  );
  expect(screen.queryByLabelText('旧密码')).toBeNull();
  expect(screen.getByText('设置后可以用邮箱和密码登录。')).toBeVisible();
  expect(screen.getByText('验证码将发送至邮箱 fa***@mail.example')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: '获取验证码' }));
  await userEvent.type(screen.getByRole('textbox', { name: '验证码' }), '123456');
  await fill(null, 'better-5678');
  await userEvent.click(save());
  await waitFor(() => expect(requests).toHaveLength(2));
  expect(requests.map(({ body }) => body)).toEqual([
    { email: 'fang@mail.example', scene: 'password' },
    { verify: '123456', password: 'better-5678' },
  ]);
});

it.each([
  ['demo1234', 'short', 'short', '密码为 8 至 32 个字符'],
  ['demo1234', 'x'.repeat(33), 'x'.repeat(33), '密码为 8 至 32 个字符'],
  ['demo1234', 'demo1234', 'demo1234', '新密码不能与旧密码相同'],
  ['demo1234', 'better-5678', 'better-5679', '两次输入的密码不一致'],
  ['', 'better-5678', 'better-5678', '旧密码不能为空'],
  ['demo1234', '', '', '密码不能为空'],
])('old "%s", new "%s", again "%s" is refused: %s', async (old, password, again, text) => {
  const { requests } = await open();
  await fill(old, password, again);
  await userEvent.click(save());
  expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
  expect(requests).toHaveLength(0);
});

it('shows a wrong old password at its field and keeps the input', async () => {
  await open({ [call]: failWith(41001, 'wrong') });
  await fill('wrong-one', 'better-5678');
  await userEvent.click(save());
  expect(await screen.findByText('旧密码不正确')).toBeVisible();
  expect(screen.getByLabelText('新密码', { selector: 'input' })).toHaveValue('better-5678');
});
