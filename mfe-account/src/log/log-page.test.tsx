import { pageOf, renderPage, testUser } from '@shop/shared/testing';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lastDays, readFilter, toQuery } from './log-filter';
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

it('refuses an end before the start, and sends whole local days otherwise', async () => {
  const { requests } = await open({ [log]: answer([]) });
  await userEvent.click(await screen.findByRole('button', { name: '自选日期' }));
  fireEvent.change(await screen.findByLabelText('开始日期'), { target: { value: '2026-02-02' } });
  fireEvent.change(screen.getByLabelText('结束日期'), { target: { value: '2026-02-01' } });
  await userEvent.click(screen.getByRole('button', { name: '应用' }));
  expect(screen.getByText('结束日期不能早于开始日期')).toBeVisible();
  fireEvent.change(screen.getByLabelText('结束日期'), { target: { value: '2026-02-03' } });
  await userEvent.click(screen.getByRole('button', { name: '应用' }));
  const start = new Date('2026-02-02T00:00:00').toISOString();
  await waitFor(() => expect(requests.map((request) => request.params.start)).toContain(start));
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

it('filters by the last days with one click', async () => {
  const { requests, router } = await open({ [log]: answer([]) });
  await userEvent.click(await screen.findByRole('button', { name: '近 7 天' }));
  const { start, end } = lastDays(7, new Date());
  expect(router.state.location.search).toBe(`?start=${start}&end=${end}`);
  await waitFor(() => expect(requests.at(-1)?.params).toMatchObject(toQuery({ type: undefined, start, end })));
});

it('ignores invalid values in the address', () => {
  const none = { type: undefined, start: '', end: '' };
  expect(readFilter(new URLSearchParams('type=9&start=<script>&end=2026-13-45'))).toEqual(none);
  expect(toQuery(none)).toEqual({});
  expect(lastDays(7, new Date(2026, 2, 3))).toEqual({ start: '2026-02-25', end: '2026-03-03' });
});
