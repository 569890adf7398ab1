import { screen } from '@testing-library/react';
import { answers, openConsole, stubCalls } from './testing/console';

jest.mock('./orders/enquiries-page', () => {
  throw new Error('the server has a newer console');
});

beforeEach(async () => {
  await stubCalls('seller');
  answers['GET queue'] = { server_time: new Date().toISOString(), orders: [] };
});
afterEach(() => history.replaceState(null, '', '/'));

it('the console shows that its first call has failed, and tries again', async () => {
  answers['GET session'] = { code: 500 };
  const user = openConsole();
  const retry = await screen.findByRole('button', { name: 'Try again' });
  answers['GET session'] = { name: 'Ann', role: 'seller' };
  await user.click(retry);
  expect(await screen.findByText('All caught up')).toBeInTheDocument();
});

it('the console reports a page that could not load, and shows the others', async () => {
  jest.spyOn(console, 'error').mockImplementation();
  const user = openConsole('enquiries');
  expect(await screen.findByText('Something went wrong')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Queue' }));
  expect(await screen.findByText('All caught up')).toBeInTheDocument();
});

it.each([
  ['/ops', 'manager', 'Releases', ['Queue', 'Releases', 'Audit log']],
  ['/staff', 'manager', 'Queue', ['Queue', 'Releases', 'Audit log']],
  ['/ops', 'seller', 'Queue', ['Queue']],
  ['/staff', 'ops', 'Releases', ['Releases', 'My account']],
])('the console opens at %s for the role %s: %s', async (path, role, page, links) => {
  history.replaceState(null, '', path);
  answers['GET session'] = { name: 'Ann', role, time_zone: 'UTC' };
  openConsole();
  expect(await screen.findByRole('link', { current: 'page' })).toHaveTextContent(page);
  for (const name of links) expect(screen.getByRole('link', { name })).toBeInTheDocument();
  expect(screen.queryAllByRole('link', { name: 'Releases' })).toHaveLength(links.includes('Releases') ? 1 : 0);
});
