import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { posts, token } from '../testing/account-dialog';
import { endShell, renderShell } from '../testing/render-shell';

afterEach(endShell);

const register = 'POST /api/front/app/register';
async function openRegister(api: Record<string, unknown> = {}, path = '/home') {
  const rendered = await renderShell(path, { api });
  act(() => rendered.shell.overlays.openRegister());
  await screen.findByRole('dialog', { name: '注册' });
  return rendered;
}
const submitRegister = () => within(screen.getByRole('dialog')).getByRole('button', { name: '注册' });
async function fill(user: ReturnType<typeof userEvent.setup>) {
  await user.type(screen.getByLabelText('手机号'), '13900000003');
  await user.type(screen.getByLabelText('验证码'), '123456');
  await user.type(screen.getByLabelText('密码'), 'longenough');
  await user.click(submitRegister());
}

it('the registration requires phone, code and password', async () => {
  const { requests } = await openRegister();
  await userEvent.click(submitRegister());
  for (const text of ['手机号不能为空', '验证码不能为空', '密码不能为空']) {
    expect(await screen.findByText(text)).toBeVisible();
  }
  expect(posts(requests)).toEqual([]);
});

it('sends the invite code of the address without showing it, and signs in', async () => {
  const { requests, shell } = await openRegister({ [register]: token }, '/home?invite_code=ABC123');
  expect(within(screen.getByRole('dialog')).queryByDisplayValue('ABC123')).not.toBeInTheDocument();
  await fill(userEvent.setup());
  await waitFor(() => expect(shell.session.hasUser).toBe(true));
  expect(posts(requests)[0]?.body).toEqual({
    phone: '13900000003',
    verify: '123456',
    password: 'longenough',
    invite_code: 'ABC123',
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});
