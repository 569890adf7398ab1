import type { StaffPush } from '@shop/backoffice/wire';
import { changeLanguage } from '@shop/shared/i18n';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { openConsole, type Sent, stubCalls } from '../testing/console';

const subscription = { endpoint: 'https://push.example/1', p256dh: 'P', auth: 'A' };
const off: StaffPush = { key: 'BKey', here: false, language: null };
const on: StaffPush = { key: 'BKey', here: true, language: 'en' };

let answers: Record<string, unknown>;
let sent: Sent[];
/** A browser whose person answers its question so. */
function browserWithPush(answer: NotificationPermission, scope = '/staff') {
  const registration = {
    scope: `${location.origin}${scope}`,
    active: {},
    unregister: jest.fn(async () => true),
    pushManager: {
      getSubscription: async () => null,
      subscribe: jest.fn(async () => ({
        toJSON: () => ({ endpoint: subscription.endpoint, keys: { p256dh: 'P', auth: 'A' } }),
      })),
    },
  };
  const notification = { permission: 'default', requestPermission: jest.fn() };
  notification.requestPermission.mockImplementation(async () => {
    notification.permission = answer;
    return answer;
  });
  const register = jest.fn(async () => registration);
  Object.assign(window, { PushManager: class {}, Notification: notification });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { register, getRegistration: async () => registration },
  });
  return { register, notification, ...registration };
}
async function open(role: string, push: unknown = off) {
  ({ answers, sent } = await stubCalls(role));
  answers['GET push'] = push;
  answers['GET stock/low'] = { count: 0 };
  answers['DELETE session'] = { done: true, next: null };
  answers['GET sign-in'] = { provider: null, token: false };
  location.hash = '#/account';
  return openConsole();
}
const press = () => screen.findByRole('checkbox', { name: 'Push to this browser' });
const bodiesOf = (call: string) => sent.filter((one) => one.call === call).map(({ body }) => body);

afterEach(() => {
  for (const name of ['PushManager', 'Notification']) Reflect.deleteProperty(window, name);
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

it('asks the browser at a press only, by a worker of the console’s own, and ends pushes by another', async () => {
  const browser = browserWithPush('granted');
  const user = await open('seller');
  expect(await press()).not.toBeChecked();
  expect(browser.notification.requestPermission).not.toHaveBeenCalled();
  expect(browser.register).not.toHaveBeenCalled();
  answers['POST push'] = answers['GET push'] = on;
  await user.click(await press());
  await waitFor(async () => expect(await press()).toBeChecked());
  expect(browser.register).toHaveBeenCalledWith('/staff/worker.js', { scope: '/staff', updateViaCache: 'none' });
  expect(bodiesOf('POST push')).toEqual([subscription]);
  answers['DELETE push'] = answers['GET push'] = off;
  await user.click(await press());
  await waitFor(async () => expect(await press()).not.toBeChecked());
  expect(browser.unregister).toHaveBeenCalledTimes(1);
});

it('says what to do where the person refuses', async () => {
  const browser = browserWithPush('denied');
  const user = await open('seller');
  await user.click(await press());
  expect(await screen.findByText(/Your browser blocks it/)).toBeVisible();
  expect(await press()).toBeDisabled();
  expect(browser.pushManager.subscribe).not.toHaveBeenCalled();
  expect(bodiesOf('POST push')).toEqual([]);
});

it('says that a browser has no push', async () => {
  await open('stock');
  expect(await screen.findByText(/On an iPhone, add the console/)).toBeVisible();
  expect(await press()).toBeDisabled();
});

it('says that no push service was reached, and stays off', async () => {
  const browser = browserWithPush('granted');
  browser.pushManager.subscribe.mockRejectedValue(new Error('push service error'));
  const user = await open('seller');
  await user.click(await press());
  expect(await screen.findByText(/Push could not be switched on/)).toBeVisible();
  expect(await press()).not.toBeChecked();
});

it.each([
  ['seller', 'You are told of new orders to deliver.'],
  ['stock', 'You are told of low stock.'],
  ['manager', 'You are told of new orders to deliver and of low stock.'],
])('says of what a %s is told', async (role, text) => {
  browserWithPush('granted');
  await open(role);
  expect(await screen.findByText(new RegExp(`^${text} Also while`))).toBeVisible();
});

it('is offered to nobody who sees neither orders nor stock', async () => {
  browserWithPush('granted');
  await open('money');
  expect(await screen.findByRole('button', { name: 'Sign out' })).toBeVisible();
  expect(sent.some(({ call }) => call === 'GET push')).toBe(false);
});

it('stands nowhere in a shop without push', async () => {
  browserWithPush('granted');
  await open('seller', { ...off, key: null });
  await waitFor(() => expect(sent.some(({ call }) => call === 'GET push')).toBe(true));
  expect(screen.queryByRole('heading', { name: 'Push notifications' })).toBeNull();
});

it('tells in the language to which the console was switched', async () => {
  const browser = browserWithPush('granted');
  browser.notification.permission = 'granted';
  await open('seller', on);
  await waitFor(async () => expect(await press()).toBeChecked());
  expect(bodiesOf('POST push')).toEqual([]);
  answers['POST push'] = answers['GET push'] = { ...on, language: 'zh-CN' };
  await act(() => changeLanguage('zh-CN'));
  await waitFor(() => expect(bodiesOf('POST push')).toEqual([subscription]));
});

it('leaves the browser without the console’s worker after a sign-out, and the shop’s worker alone', async () => {
  for (const [scope, times] of [
    ['/staff', 1],
    ['/', 0],
  ] as const) {
    const browser = browserWithPush('granted', scope);
    const user = await open('seller');
    await user.click(await screen.findByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(sent.some(({ call }) => call === 'DELETE session')).toBe(true));
    expect(browser.unregister).toHaveBeenCalledTimes(times);
    cleanup();
  }
});
