import { screen } from '@testing-library/react';
import { answers, openConsole, stubCalls } from '../testing/console';

afterEach(() => history.replaceState(null, '', '/'));

it.each([
  ['/ops', 'manager', 'Releases', ['Queue', 'Releases', 'Audit log']],
  ['/staff', 'manager', 'Queue', ['Queue', 'Releases', 'Audit log']],
  ['/ops', 'seller', 'Queue', ['Queue']],
  ['/staff', 'ops', 'Releases', ['Releases', 'My account']],
])('the console opens at %s for the role %s: %s', async (path, role, page, links) => {
  history.replaceState(null, '', path);
  await stubCalls(role);
  answers['GET queue'] = { server_time: new Date().toISOString(), orders: [] };
  openConsole();
  expect(await screen.findByRole('link', { current: 'page' })).toHaveTextContent(page);
  for (const name of links) expect(screen.getByRole('link', { name })).toBeInTheDocument();
  expect(screen.queryAllByRole('link', { name: 'Releases' })).toHaveLength(links.includes('Releases') ? 1 : 0);
});
