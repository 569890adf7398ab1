import { ErrorCode } from '@shop/shared/domain';
import { failWith, pendingAnswer } from '@shop/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import { bodies, codeSent, endShell, login, openLogin, sendCode, token } from '../testing/render-shell';

afterEach(endShell);

const config = 'GET /api/front/app/config';
const sent = { [sendCode]: codeSent };
const mails = { [config]: { email_sign_in: true } };
const dialog = () => within(screen.getByRole('dialog'));
const byEmail = () => dialog().findByRole('button', { name: 'Use email instead' });

it('signs in by a mailed code, and shows a buyer that the address is enough', async () => {
  const { requests, user } = await openLogin({ ...mails, ...sent, [login]: token }, 'en', 'buy');
  await user.click(await byEmail());
  const email = dialog().getByLabelText('Email');
  expect(email).toHaveFocus();
  expect(email).toHaveAttribute('autocomplete', 'email');
  expect(dialog().getByText(/Your email is all it takes/)).toBeVisible();
  expect(dialog().queryByRole('button', { name: /Country or region/ })).not.toBeInTheDocument();
  await user.type(email, ' ann@mail.example');
  await user.click(dialog().getByRole('button', { name: 'Send code' }));
  await screen.findByText('Code sent');
  expect(bodies(requests, '/send_code')).toEqual([{ email: 'ann@mail.example', scene: 'login' }]);
  await user.type(dialog().getByLabelText('Verification code'), '123456');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(bodies(requests, '/login')).toEqual([{ email: 'ann@mail.example', login_type: 'verify', verify: '123456' }]);
});

it('switches back to the phone, and each field keeps its input', async () => {
  const { user } = await openLogin(mails, 'en');
  await user.type(dialog().getByLabelText('Phone number'), '415');
  await user.click(await byEmail());
  await user.type(dialog().getByLabelText('Email'), 'ann@mail.example');
  await user.click(dialog().getByRole('button', { name: 'Use a phone number instead' }));
  expect(dialog().getByLabelText('Phone number')).toHaveValue('415');
  expect(dialog().getByLabelText('Phone number')).toHaveFocus();
  await user.click(await byEmail());
  await user.click(dialog().getByRole('button', { name: 'Register' }));
  expect(dialog().getByLabelText('Email')).toHaveValue('ann@mail.example');
});

it('reports an invalid address at the field, and sends nothing', async () => {
  const { requests, user } = await openLogin({ ...mails, ...sent }, 'en');
  await user.click(await byEmail());
  await user.click(dialog().getByRole('button', { name: 'Send code' }));
  expect(await dialog().findByText('Please enter your email')).toBeVisible();
  for (const text of ['ann', 'ann@mail', 'ann @mail.example']) {
    await user.clear(dialog().getByLabelText('Email'));
    await user.type(dialog().getByLabelText('Email'), text);
    await user.click(dialog().getByRole('button', { name: 'Send code' }));
    expect(await dialog().findByText('Enter a valid email address')).toBeVisible();
  }
  expect(bodies(requests, '/send_code')).toEqual([]);
});

it('shows a refusal of the address at its field, and keeps the input', async () => {
  const { user } = await openLogin(
    { ...mails, 'POST /api/front/app/register': failWith(ErrorCode.PhoneAlreadyRegistered, 'already registered') },
    'en',
  );
  await user.click(await byEmail());
  await user.click(dialog().getByRole('button', { name: 'Register' }));
  await user.type(dialog().getByLabelText('Email'), 'ann@mail.example');
  await user.type(dialog().getByLabelText('Verification code'), '123456');
  await user.type(dialog().getByLabelText('Password'), 'longenough1');
  await user.click(dialog().getByRole('button', { name: 'Register' }));
  await waitFor(() => expect(dialog().getByLabelText('Email')).toHaveAccessibleDescription(/already registered/));
  expect(dialog().getByLabelText('Password')).toHaveValue('longenough1');
});

it('sets a forgotten password by a mailed code, and reports an address without an account', async () => {
  const set = 'POST /api/front/app/setPassword';
  const api: Record<string, unknown> = { ...mails, ...sent, [set]: failWith(ErrorCode.WrongCredentials, 'wrong') };
  const { requests, user } = await openLogin(api, 'en');
  await user.click(await byEmail());
  await user.click(dialog().getByRole('tab', { name: 'Password' }));
  expect(dialog().getByLabelText('Email')).toHaveAttribute('autocomplete', 'username');
  await user.type(dialog().getByLabelText('Email'), 'ann@mail.example');
  await user.click(dialog().getByRole('button', { name: 'Forgot password?' }));
  expect(dialog().getByLabelText('Email')).toHaveValue('ann@mail.example');
  await user.type(dialog().getByLabelText('Verification code'), '123456');
  await user.type(dialog().getByLabelText('New password'), 'longenough1');
  await user.click(dialog().getByRole('button', { name: 'Set password and sign in' }));
  expect(await dialog().findByText(/No account uses this email yet/)).toBeVisible();
  expect(bodies(requests, '/setPassword')).toEqual([
    { email: 'ann@mail.example', verify: '123456', password: 'longenough1' },
  ]);
});

it('email sign-in is not offered in Chinese', async () => {
  const { requests } = await openLogin(mails);
  const configCalls = requests.filter(({ url }) => url.endsWith('/app/config')).length;
  expect(await dialog().findByLabelText('手机号')).toBeVisible();
  expect(dialog().queryByText('改用邮箱')).not.toBeInTheDocument();
  expect(requests.filter(({ url }) => url.endsWith('/app/config'))).toHaveLength(configCalls);
});

it('the email button reserves its space until the config is loaded, and disappears in a shop that sends no mails', async () => {
  const answer = pendingAnswer();
  await openLogin({ [config]: answer.stub }, 'en');
  const place = dialog().getByText('Use email instead');
  expect(place).toBeDisabled();
  act(() => answer.answer({}));
  await waitFor(() => expect(place).not.toBeInTheDocument());
  expect(dialog().getByLabelText('Phone number')).toBeVisible();
});
