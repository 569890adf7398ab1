import { hasOpenDialog } from '@platform/host/unsaved-input';
import { failWith, noConnection, sessionEnded } from '@shop/shared/testing';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  closeShell,
  coupon,
  endShell,
  type RenderShellOptions,
  renderShell,
  waitingCoupon,
} from '../testing/render-shell';

afterEach(endShell);

const receive = 'POST /api/front/coupon/receive';

const open = (api: RenderShellOptions['api'] = {}, path = '/home') =>
  renderShell(path, { token: 'Bearer x', api: { ...waitingCoupon, ...api } });
const button = (name: string) => screen.getByRole('button', { name });
const prompt = () => screen.findByRole('dialog', { name: '送你一张优惠券' });

it('the coupon prompt opens with the current coupon, and does not hold the document', async () => {
  const { requests } = await open();
  expect(await prompt()).toHaveTextContent(/¥5\.00.*新人券.*满 ¥30\.00 可用.*全部商品可用.*领取后 30 天内有效/);
  expect(hasOpenDialog()).toBe(false);
  const calls = requests.map(({ url }) => url);
  expect(calls.indexOf('/api/front/coupon/check')).toBeLessThan(calls.indexOf('/api/front/coupon/getCoupon'));
});

it.each([
  ['a discount', { coupon_type: 20, discount: 8, min_price: '0.00' }, /8 ?折.*无门槛/],
  [
    'a fixed window and assigned goods',
    { expire_type: 20, start_time: '2026-01-02T00:00:00', end_time: '2026-03-04T00:00:00', apply_range: 20 },
    /指定商品可用.*2026\.01\.02 - 2026\.03\.04/,
  ],
])('the coupon prompt describes %s', async (_, fields, text) => {
  await open({ 'GET /api/front/coupon/getCoupon': { ...coupon, ...fields } });
  expect(await prompt()).toHaveTextContent(text);
});

it.each([
  ['the check answers nothing', { 'GET /api/front/coupon/check': null }],
  ['the check fails', { 'GET /api/front/coupon/check': failWith(50000, 'boom') }],
  ['the coupon cannot be fetched', { 'GET /api/front/coupon/getCoupon': failWith(44404, 'gone') }],
])('the coupon prompt stays closed without a message when %s', async (_, api) => {
  const { shell } = await open(api);
  await waitFor(() => expect(shell.session.hasUser).toBe(true));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('the coupon prompt is not shown to a guest', async () => {
  const { requests } = await renderShell('/home', { api: waitingCoupon });
  expect(requests.filter(({ url }) => url.includes('/coupon/'))).toEqual([]);
});

it('the coupon prompt is not shown again in this tab after "later"', async () => {
  await open();
  await prompt();
  await userEvent.click(button('以后再说'));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  closeShell();
  const { shell } = await open();
  await waitFor(() => expect(shell.coupons.coupon).not.toBeNull());
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('the coupon prompt closes when the session ends', async () => {
  const { shell } = await open();
  await prompt();
  act(() => shell.session.reset());
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

it('receiving a coupon shows success and time, and links to the coupons', async () => {
  const { requests } = await open({ [receive]: [{ id: 1 }] });
  await prompt();
  await userEvent.click(button('立即领取'));
  const result = await screen.findByRole('dialog', { name: '领取成功' });
  expect(result).toHaveTextContent(/\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}/);
  const sent = requests.find(({ method }) => method === 'POST');
  expect(sent?.body).toEqual({ coupon_id: 3 });
  expect(sent?.headers['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
  await userEvent.click(button('查看'));
  await screen.findByText('page /user/coupon');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it.each([
  ['it is gone', failWith(44002, 'none left')],
  ['there is no connection', noConnection()],
])('receiving a coupon shows the failure dialog and no toast when %s', async (_, answer) => {
  await open({ [receive]: answer });
  await prompt();
  await userEvent.click(button('立即领取'));
  expect(await screen.findByRole('dialog', { name: '领取失败' })).toBeVisible();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  await userEvent.click(button('关闭'));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(window.location.pathname).toBe('/home');
});

it('receiving a coupon shows no result when the session ended meanwhile', async () => {
  const { shell } = await open({ [receive]: sessionEnded() });
  await prompt();
  await userEvent.click(button('立即领取'));
  await waitFor(() => expect(shell.session.hasToken).toBe(false));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});
