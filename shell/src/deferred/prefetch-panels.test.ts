const mockFetched: string[] = [];
jest.mock('../login/account-dialogs', () => {
  mockFetched.push('sign-in');
  return {};
});
jest.mock('../layout/drawer', () => {
  mockFetched.push('drawer');
  return {};
});

import { prefetchPanels } from './prefetch-panels';

beforeEach(() => {
  jest.useFakeTimers();
  jest.resetModules();
  mockFetched.length = 0;
});
afterEach(() => jest.useRealTimers());
const idle = () => jest.advanceTimersByTimeAsync(1_000);

it('fetches a guest’s overlays once the browser is idle', async () => {
  prefetchPanels(true, { effectiveType: '4g' });
  expect(mockFetched).toEqual([]);
  await idle();
  expect(mockFetched).toEqual(['sign-in', 'drawer']);
});

it('fetches no sign-in code for a signed-in user', async () => {
  prefetchPanels(false, { effectiveType: '4g' });
  await idle();
  expect(mockFetched).toEqual(['drawer']);
});

it.each([{ saveData: true }, { effectiveType: '3g' }])('fetches nothing on a poor network: %j', async (connection) => {
  prefetchPanels(true, connection);
  await idle();
  expect(mockFetched).toEqual([]);
});

it('stops after a failure: the click fetches the code and reports the failure', async () => {
  const drawer = jest.fn(async () => {});
  prefetchPanels(true, undefined, [() => Promise.reject(new Error('offline')), drawer]);
  await idle();
  expect(drawer).not.toHaveBeenCalled();
});
