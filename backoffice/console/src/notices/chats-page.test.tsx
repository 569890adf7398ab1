import { screen, within } from '@testing-library/react';
import { answers, openConsole, sent, stubCalls } from '../testing/console';

it('the page of chats shows what each gets and refused, and what the service answered to a test', async () => {
  await stubCalls('ops');
  const chat = { form: 'dingtalk', host: 'oapi.dingtalk.com', language: 'zh-CN', events: ['order', 'release'] };
  answers['GET chats'] = [
    { ...chat, name: 'orders', waiting: 0, sent_at: null, fault: '' },
    { ...chat, name: 'ops', waiting: 2, sent_at: '2026-11-01T08:00:00.000Z', fault: 'code 310000 sign not match' },
  ];
  answers['POST chats/test'] = { accepted: false, answer: 'code 310000 sign not match' };
  const user = openConsole('notices');
  const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(`^${name}`) }));
  expect((await row('orders')).getByText('Nothing sent yet')).toBeVisible();
  const ops = await row('ops');
  expect(ops.getByText('All paid orders')).toBeVisible();
  expect(ops.getByText('Releases')).toBeVisible();
  expect(ops.getByText('2 waiting')).toBeVisible();
  expect(ops.getByText('The service answered: code 310000 sign not match')).toBeVisible();
  await user.click(ops.getByRole('button', { name: 'Send a test: ops' }));
  expect(ops.getByRole('status')).toHaveTextContent('ops hasn’t accepted the test message: code 310000 sign not match');
  answers['POST chats/test'] = { accepted: true, answer: 'ok' };
  await user.click(ops.getByRole('button', { name: 'Send a test: ops' }));
  expect(ops.getByRole('status')).toHaveTextContent('ops has accepted the test message.');
  expect(sent.at(-1)).toMatchObject({ call: 'POST chats/test', body: { name: 'ops' } });
});
