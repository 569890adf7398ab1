import { screen, within } from '@testing-library/react';
import { openConsole, stubCalls } from './testing/console';

afterEach(() => history.replaceState(null, '', '/'));

it('offers the provider, and the token for releases where nothing else lets anybody in', async () => {
  history.replaceState(null, '', '/ops');
  const { answers, sent } = await stubCalls('ops');
  answers['GET session'] = { code: 401 };
  answers['GET sign-in'] = { provider: 'Acme', token: true };
  const user = openConsole();
  const provider = await screen.findByRole('link', { name: 'Sign in with Acme' });
  expect(provider).toHaveAttribute('href', '/staff/login?page=ops');
  await user.click(screen.getByText('Use the emergency token'));
  const form = within(screen.getByRole('group'));
  await user.type(form.getByLabelText('Your name (shown in the history)'), ' Ann ');
  await user.type(form.getByLabelText('Token'), 'secret');
  answers['POST session/token'] = { code: 46001, message: 'Wrong token' };
  await user.click(form.getByRole('button', { name: 'Sign in' }));
  expect(await form.findByRole('alert')).toHaveTextContent('Wrong token');
  answers['POST session/token'] = { name: 'Ann', role: 'ops' };
  await user.click(form.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('link', { name: 'Releases' })).toBeInTheDocument();
  expect(sent.findLast(({ call }) => call === 'POST session/token')?.body).toEqual({ name: 'Ann', token: 'secret' });
});

it.each([
  ['/ops', 'manager', 'Releases', ['Queue', 'Releases', 'Audit log']],
  ['/staff', 'manager', 'Queue', ['Queue', 'Releases', 'Audit log']],
  ['/ops', 'seller', 'Queue', ['Queue']],
  ['/staff', 'ops', 'Releases', ['Releases', 'My account']],
  ['/staff', 'viewer', 'Releases', ['Releases', 'My account']],
])('opens at %s for the role %s: %s', async (path, role, page, links) => {
  history.replaceState(null, '', path);
  const { answers } = await stubCalls(role);
  answers['GET queue'] = { server_time: new Date().toISOString(), orders: [] };
  openConsole();
  expect(await screen.findByRole('link', { current: 'page' })).toHaveTextContent(page);
  for (const name of links) expect(screen.getByRole('link', { name })).toBeInTheDocument();
  expect(screen.queryAllByRole('link', { name: 'Releases' })).toHaveLength(links.includes('Releases') ? 1 : 0);
});
