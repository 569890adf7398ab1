import { pageOf, renderPage, testUser } from '@shop/shared/testing';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './log-page';

const log = 'GET /api/front/user/balanceLog';
const row = (id: number, type: number, amount: string) => ({
  id,
  type,
  amount,
  balance_after: '50.00',
  frozen_after: '0.00',
  currency: 'CNY',
  remark: '',
  created_at: '2026-01-02T03:04:05Z',
});
const answer = (list: unknown[]) => ({ ...pageOf(list), summary: { income: '130.00', expense: '48.00' } });
const open = (api: Record<string, unknown>, path = '/user/log') =>
  renderPage(page, { path, route: '/user/log', session: { user: testUser }, api });

it('names all six types, signs the amounts and sums income and expense', async () => {
  const amounts = ['-48.00', '100.00', '30.00', '-1.00', '-2.00', '2.00'];
  await open({ [log]: answer(amounts.map((amount, type) => row(type + 1, type, amount))) });
  expect(await screen.findByText('+¥100.00')).toBeVisible();
  expect(screen.getByText('−¥48.00')).toBeVisible();
  for (const name of ['购买', '充值', '退款', '扣减', '冻结', '解冻']) expect(screen.getAllByText(name).length).toBe(2);
  expect(await screen.findByText('¥130.00')).toBeVisible();
  expect(screen.getByText('¥48.00')).toBeVisible();
});

it('shows an empty state for the chosen type and a link to all types', async () => {
  const { requests } = await open({ [log]: answer([]) });
  await userEvent.click(await screen.findByRole('button', { name: '退款' }));
  await waitFor(() => expect(requests.map((request) => request.params.type)).toContain(2));
  await userEvent.click(await screen.findByRole('button', { name: '查看全部' }));
  expect(await screen.findByText('还没有资金记录')).toBeVisible();
  expect(screen.getByRole('link', { name: '充值' })).toHaveAttribute('href', '/user/recharge');
});

it('names the payment method behind a movement, and keeps text by staff', async () => {
  const rows = [
    { ...row(1, 1, '5.00'), remark: 'wechat' },
    { ...row(2, 3, '-1.00'), remark: '补扣 <b>差额</b>' },
    { ...row(3, 4, '-2.00'), frozen_after: '2.00' },
  ];
  await open({ [log]: answer(rows) });
  expect(await screen.findByText('微信支付')).toBeVisible();
  expect(screen.getByText('补扣 <b>差额</b>')).toBeVisible();
  expect(screen.getByText('冻结 ¥2.00')).toBeVisible();
});

it.each([
  ['近 7 天', 'last7', 6],
  ['近 30 天', 'last30', 29],
])('filters by “%s” in whole local days with one click, and again by its address', async (name, period, before) => {
  const { requests, router, unmount } = await open({ [log]: answer([]) });
  await userEvent.click(await screen.findByRole('button', { name }));
  expect(router.state.location.search).toBe(`?period=${period}`);
  const start = new Date();
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - before);
  await waitFor(() => expect(requests.at(-1)?.params.start).toBe(start.toISOString()));
  unmount();
  const opened = await open({ [log]: answer([]) }, `/user/log?type=9&period=${period}`);
  await waitFor(() => expect(opened.requests[0]?.params).toMatchObject({ start: start.toISOString() }));
  expect(opened.requests[0]?.params).not.toHaveProperty('type');
});

it('ignores invalid values in the address', async () => {
  const { requests } = await open({ [log]: answer([]) }, '/user/log?type=9&period=<script>');
  expect(await screen.findByText('还没有资金记录')).toBeVisible();
  expect(requests[0]?.params).toEqual({ page: 1 });
});
