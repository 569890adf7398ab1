import { QueryClientProvider, queryClient } from '@shop/shared/query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answers, openConsole, sent, stubCalls } from '../testing/console';
import { SetupPage } from './setup-page';

const password = 'kelp-orbit-94-wagon';
const qr = { size: 2, fields: '1001' };
const address = 'otpauth://totp/x?secret=ABCDEFGHIJKLMNOP';

async function open(invited: object) {
  await stubCalls('manager');
  Object.assign(answers, { 'POST setup/read': invited, 'POST setup/authenticator': { address, qr } });
  const onDone = jest.fn();
  render(
    <QueryClientProvider client={queryClient}>
      <SetupPage token="the-token" onDone={onDone} />
    </QueryClientProvider>,
  );
  return { onDone, user: userEvent.setup() };
}

it('the setup asks a new manager for a name and a password twice, shows the secret, and asks for a code', async () => {
  const { onDone, user } = await open({ name: null, role: 'manager' });
  await user.type(await screen.findByLabelText('Name'), ' Ann ');
  await user.type(screen.getByLabelText('Password'), password);
  await user.type(screen.getByLabelText('Repeat the password'), 'another-password');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(screen.getByRole('alert')).toHaveTextContent('The passwords don’t match');
  expect(sent).toHaveLength(1);

  answers['POST setup/authenticator'] = { code: 46003, message: 'too easy' };
  await user.clear(screen.getByLabelText('Repeat the password'));
  await user.type(screen.getByLabelText('Repeat the password'), password);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('too easy');
  expect(screen.getByLabelText('Password')).toHaveValue(password);

  answers['POST setup/authenticator'] = { address, qr };
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('heading', { name: 'Set up your authenticator' })).toHaveFocus();
  expect(screen.getByRole('img', { name: /^QR code/ })).toBeInTheDocument();
  expect(screen.getByText('ABCD EFGH IJKL MNOP')).toBeInTheDocument();

  answers['POST setup'] = { code: 46007, message: 'Wrong code' };
  await user.type(screen.getByLabelText('Code'), '123 456');
  await user.click(screen.getByRole('button', { name: 'Finish and sign in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Wrong code');
  expect(onDone).not.toHaveBeenCalled();
  answers['POST setup'] = { name: 'Ann', role: 'manager' };
  await user.type(screen.getByLabelText('Code'), '654321');
  await user.click(screen.getByRole('button', { name: 'Finish and sign in' }));
  expect(sent.at(-1)).toMatchObject({
    call: 'POST setup',
    body: { token: 'the-token', name: 'Ann', password, code: '654321' },
  });
  expect(onDone).toHaveBeenCalledTimes(1);
});

it('the setup shows the name of an invited user, and sends none', async () => {
  const { user } = await open({ name: 'Ben', role: 'seller' });
  expect(await screen.findByLabelText('Name')).toHaveValue('Ben');
  expect(screen.getByLabelText('Name')).toHaveAttribute('readonly');
  for (const label of ['Password', 'Repeat the password']) await user.type(screen.getByLabelText(label), password);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(sent.at(-1)?.body).toEqual({ token: 'the-token', password });
});

it('managers see the setup address of an added or reset user, and which users have not used one', async () => {
  await stubCalls('manager');
  const ben = { name: 'Ben', role: 'seller', created_at: '2026-01-01T00:00:00Z', disabled_at: null, is_set_up: false };
  answers['GET people'] = [{ ...ben, name: 'Ann', role: 'manager', is_set_up: true }, ben];
  answers['POST people'] = { name: 'Zoe', token: 'zoes-token', expires_at: '2026-01-02T00:00:00Z' };
  answers['POST people/reset'] = { name: 'Ben', token: 'bens-token', expires_at: '2026-01-02T00:00:00Z' };
  const user = openConsole('people');
  const row = (await screen.findByText('Ben')).closest('tr') as HTMLElement;
  expect(within(row).getByText('Invited')).toBeInTheDocument();
  expect(screen.getAllByText('Invited')).toHaveLength(1);
  await user.type(screen.getByLabelText('Name'), 'Zoe');
  await user.click(screen.getByRole('button', { name: 'Add a staff member' }));
  const added = await screen.findByRole('dialog', { name: 'One-time link for Zoe' });
  expect(added).toHaveTextContent('http://localhost/staff/setup#zoes-token');
  await user.click(within(added).getByRole('button', { name: 'Close' }));
  await user.click(within(row).getByRole('button', { name: 'Send a new invitation' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'OK' }));
  expect(await screen.findByText('http://localhost/staff/setup#bens-token')).toBeInTheDocument();
  expect(sent.filter(({ call }) => call.startsWith('POST')).map(({ call, body }) => [call, body])).toEqual([
    ['POST people', { name: 'Zoe', role: 'seller' }],
    ['POST people/reset', { name: 'Ben' }],
  ]);
});
