import { queryClient } from '@shop/shared/query';
import { act, screen } from '@testing-library/react';
import { forgetFirstCalls } from './api';
import { answers, openConsole, sent, stubCalls } from './testing/console';

jest.mock('./people/account-page', () => {
  throw new Error('the server has a newer console');
});

const emptyQueue = { server_time: new Date().toISOString(), orders: [] };
beforeEach(async () => {
  forgetFirstCalls();
  await stubCalls('seller');
  answers['GET queue'] = emptyQueue;
});
const makeFirstCalls = () =>
  jest.isolateModulesAsync(async () => {
    await import('./first-calls');
  });
const calls = () => sent.map(({ call }) => call);

it('the queue appears with the answers to the first calls, and refetches afterwards', async () => {
  await makeFirstCalls();
  expect(calls()).toEqual(['GET session', 'GET queue']);
  openConsole();
  await screen.findByText('All caught up');
  expect(calls()).toEqual(['GET session', 'GET queue']);
  await act(() => queryClient.refetchQueries());
  expect(calls()).toEqual(['GET session', 'GET queue', 'GET queue']);
});

it.each([
  ['/staff#/find/A', ['GET session']],
  ['/staff#/queue/A', ['GET session', 'GET queue']],
  ['/ops', ['GET session']],
])('the first calls at %s are those of the page shown there', async (address, expected) => {
  history.replaceState(null, '', address);
  await makeFirstCalls();
  history.replaceState(null, '', '/');
  expect(calls()).toEqual(expected);
});

it('the console uses no first answer from before the sign-in', async () => {
  answers['GET session'] = { code: 401 };
  answers['GET queue'] = { code: 401 };
  await makeFirstCalls();
  const user = openConsole();
  await user.type(await screen.findByLabelText('Name'), 'Ann');
  await user.type(screen.getByLabelText('Password'), 'secret');
  await user.type(screen.getByLabelText('Code'), '123456');
  answers['POST session'] = { name: 'Ann', role: 'seller' };
  answers['GET queue'] = emptyQueue;
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('All caught up')).toBeInTheDocument();
});

it('the console shows the error of a failed first call, and tries again', async () => {
  answers['GET session'] = { code: 500 };
  await makeFirstCalls();
  const user = openConsole();
  const retry = await screen.findByRole('button', { name: 'Try again' });
  answers['GET session'] = { name: 'Ann', role: 'seller' };
  await user.click(retry);
  expect(await screen.findByText('All caught up')).toBeInTheDocument();
});

it('the console reports a page that could not load, and shows the others', async () => {
  jest.spyOn(console, 'error').mockImplementation();
  const user = openConsole('account');
  expect(await screen.findByText('Something went wrong')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Queue' }));
  expect(await screen.findByText('All caught up')).toBeInTheDocument();
});
