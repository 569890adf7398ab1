import type { NoticeSettings } from '@shop/server/wire';
import { failWith, inTurn, renderPage, testUser } from '@shop/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './notices-page';

const read = 'GET /api/front/user/notices';
const save = 'POST /api/front/user/notices';
const confirm = 'POST /api/front/user/notices/email';
const add = 'POST /api/front/user/notices/push';
const remove = 'DELETE /api/front/user/notices/push';
const settings = (changes: Partial<NoticeSettings> = {}): NoticeSettings => ({
  mail: { address: 'ming@mail.example', confirmed: true },
  push: { key: 'BKey', browsers: 0, here: false },
  kinds: [
    { kind: 'delivered', title: 'Order delivered', mail: true, push: true },
    { kind: 'back_in_stock', title: 'Back in stock', mail: false, push: false },
  ],
  language: 'en',
  ...changes,
});
const open = (api: Record<string, unknown>) =>
  renderPage(page, { path: '/user/notices', session: { user: testUser, language: 'en' }, api });

function browserWithPush(answer: NotificationPermission) {
  const unsubscribe = jest.fn(async () => true);
  const subscribe = jest.fn(async () => ({
    toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'P', auth: 'A' } }),
  }));
  const getSubscription = jest.fn(async () => ({ unsubscribe }));
  const notification = { permission: 'default', requestPermission: jest.fn(async () => answer) };
  notification.requestPermission.mockImplementation(async () => {
    notification.permission = answer;
    return answer;
  });
  Object.assign(window, { PushManager: class {}, Notification: notification });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve({ pushManager: { subscribe, getSubscription } }) },
  });
  return { subscribe, unsubscribe, notification };
}
afterEach(() => {
  for (const name of ['PushManager', 'Notification']) Reflect.deleteProperty(window, name);
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

it('saves each choice by kind and channel, and reverts it when the server refuses', async () => {
  const kinds = [{ kind: 'back_in_stock', title: 'Back in stock', mail: true, push: false }];
  const { requests } = await open({ [read]: settings(), [save]: inTurn(settings({ kinds }), failWith(50000, 'no')) });
  const byMail = await screen.findByRole('switch', { name: 'Back in stock: email' });
  expect(byMail).not.toBeChecked();
  await userEvent.click(byMail);
  await waitFor(() => expect(screen.queryByRole('switch', { name: 'Order delivered: email' })).toBeNull());
  expect(requests.at(-1)?.body).toEqual({ choices: [{ kind: 'back_in_stock', channel: 'mail', on: true }] });
  await userEvent.click(screen.getByRole('switch', { name: 'Back in stock: push' }));
  await waitFor(() => expect(screen.getByRole('switch', { name: 'Back in stock: push' })).not.toBeChecked());
});

it('sends a confirmation to an unconfirmed address and says where it went', async () => {
  await open({
    [read]: settings({ mail: { address: 'ming@mail.example', confirmed: false } }),
    [confirm]: { address: 'ming@mail.example' },
  });
  expect(await screen.findByText('Not confirmed')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Send a confirmation' }));
  expect(await screen.findByText(/We sent a link to ming@mail\.example/)).toBeVisible();
});

it('links to the profile when the user has no address', async () => {
  await open({ [read]: settings({ mail: { address: '', confirmed: false }, push: null }) });
  expect(await screen.findByRole('link', { name: 'Add an email address' })).toHaveAttribute('href', '/user/setting');
  expect(screen.queryByRole('switch', { name: /push/ })).toBeNull();
});

it('requests push permission only on a click, and sends the subscription to the shop', async () => {
  const browser = browserWithPush('granted');
  const { requests } = await open({
    [read]: settings(),
    [add]: settings({ push: { key: 'BKey', browsers: 1, here: true } }),
    [remove]: settings(),
  });
  const here = await screen.findByRole('switch', { name: 'Push to this browser' });
  expect(browser.notification.requestPermission).not.toHaveBeenCalled();
  await userEvent.click(here);
  await waitFor(() => expect(here).toBeChecked());
  expect(browser.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: 'BKey' });
  expect(requests.at(-1)?.body).toEqual({ endpoint: 'https://push.example/1', p256dh: 'P', auth: 'A' });
  browser.unsubscribe.mockClear();
  await userEvent.click(here);
  await waitFor(() => expect(here).not.toBeChecked());
  expect(browser.unsubscribe).toHaveBeenCalledTimes(1);
});

it.each([
  ['refuses', () => void browserWithPush('denied'), /Your browser is blocking push/],
  ['has none', () => {}, /doesn’t support push/],
])('says why there is no push when the browser %s', async (what, prepare, text) => {
  prepare();
  const { requests } = await open({ [read]: settings() });
  const here = await screen.findByRole('switch', { name: 'Push to this browser' });
  if (what === 'refuses') await userEvent.click(here);
  expect(await screen.findByText(text)).toBeVisible();
  expect(here).toBeDisabled();
  expect(requests).toHaveLength(1);
});

it('shows an empty state when the shop sends no notices', async () => {
  await open({ [read]: settings({ mail: null, push: null, kinds: [] }) });
  expect(await screen.findByText('This shop doesn’t send emails or push messages')).toBeVisible();
});

it('saves the language of the notices', async () => {
  const { requests } = await open({ [read]: settings(), [save]: settings({ language: 'zh-CN' }) });
  const group = await screen.findByRole('radiogroup', { name: 'Language of notices' });
  await userEvent.click(within(group).getByRole('radio', { name: '简体中文' }));
  await waitFor(() => expect(requests.at(-1)?.body).toEqual({ language: 'zh-CN' }));
});
