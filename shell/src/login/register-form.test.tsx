import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { endShell, renderShell } from '../testing/render-shell';

afterEach(endShell);

const call = 'POST /api/front/app/register';
const token = { token_type: 'Bearer', access_token: 'abc', expires_in: 3600 };
const submit = () => screen.getByRole('button', { name: '注册' });

async function openRegister(path: string) {
  const rendered = await renderShell(path, { api: { [call]: token } });
  act(() => rendered.shell.overlays.openRegister());
  await screen.findByRole('dialog', { name: '注册' });
  return rendered;
}

it('requires phone, code and password with the words of the login', async () => {
  const { requests } = await openRegister('/home');
  await userEvent.click(submit());
  for (const words of ['手机号不能为空', '验证码不能为空', '密码不能为空']) {
    expect(await screen.findByText(words)).toBeVisible();
  }
  expect(requests.some(({ url }) => url.endsWith('/register'))).toBe(false);
});

it('sends the invite code of the address without showing it', async () => {
  const { requests, shell } = await openRegister('/home?invite_code=FRIEND01');
  await userEvent.type(screen.getByLabelText('手机号'), '13900000009');
  await userEvent.type(screen.getByLabelText('验证码'), '123456');
  await userEvent.type(screen.getByLabelText('密码'), 'longenough1');
  expect(document.body).not.toHaveTextContent('FRIEND01');
  expect(screen.queryByDisplayValue('FRIEND01')).not.toBeInTheDocument();
  await userEvent.click(submit());
  await waitFor(() => expect(shell.session.hasToken).toBe(true));
  expect(requests.find(({ url }) => url.endsWith('/register'))?.body).toEqual({
    phone: '13900000009',
    verify: '123456',
    password: 'longenough1',
    invite_code: 'FRIEND01',
  });
});
