import * as payment from '@shop/shared/payment';
import { failWith, inTurn, noConnection, renderPage, testUser } from '@shop/shared/testing';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { rechargePaymentKey } from '../account.api';
import { api, created, opened, options } from './recharge.fixture';
import * as page from './recharge-page';

const open = (more: Record<string, unknown> = {}) =>
  renderPage(page, { path: '/user/recharge', session: { user: testUser }, api: { ...api, ...more } });

let leave: jest.SpyInstance;
beforeEach(() => {
  leave = jest.spyOn(payment.leave, 'to').mockReturnValue(new Promise(() => {}));
});
afterEach(() => {
  jest.restoreAllMocks();
  sessionStorage.clear();
});

it('creates one recharge for two clicks, keeps its payment number and opens the cashier', async () => {
  const { requests } = await open();
  await userEvent.click(await screen.findByRole('radio', { name: '¥100' }));
  expect(screen.getByText('¥200.00')).toBeVisible();
  await userEvent.dblClick(screen.getByRole('button', { name: '付款 ¥100.00' }));
  await waitFor(() => expect(leave).toHaveBeenCalledWith('http://localhost/cashier/PAY12345'));
  const posts = requests.filter((request) => request.method === 'POST');
  expect(posts.map((request) => request.body)).toEqual([
    { amount: '100.00', method: 'sandbox' },
    { recharge_no: 'RC123456', method: 'sandbox' },
  ]);
  expect(posts[0]?.headers['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
  expect(payment.readPending(rechargePaymentKey)).toMatchObject({ paymentNo: 'PAY12345', qr: '' });
  expect(leave).toHaveBeenCalledTimes(1);
});

it.each([
  ['', '请填写充值金额'],
  ['0.5', '最少充值 ¥1.00'],
  ['5000.01', '最多充值 ¥5,000.00'],
  ['900', '今日最多还可充值 ¥800.00'],
  ['600', '该支付方式单笔最多 ¥500.00'],
  ['1.234', '请输入正确的金额，最多两位小数'],
  ['-5', '请输入正确的金额，最多两位小数'],
  ['1e3', '请输入正确的金额，最多两位小数'],
])('refuses the amount "%s" next to the field and sends no call', async (typed, text) => {
  const { requests } = await open();
  await userEvent.click(await screen.findByRole('radio', { name: '其他金额' }));
  const field = screen.getByRole('textbox', { name: '其他金额' });
  if (typed) await userEvent.type(field, typed);
  await userEvent.click(screen.getByRole('button', { name: '立即充值' }));
  expect(field).toHaveAccessibleDescription(text);
  expect(field).toBeInvalid();
  expect(requests.filter((request) => request.method === 'POST')).toEqual([]);
});

it.each([
  ['keeps its idempotency key while the outcome is unknown', noConnection(), /不会重复充值/, true],
  ['takes a new one after a refusal, whose words it shows', failWith(45020, '超出单日限额'), /超出单日限额/, false],
])('%s', async (_, first, words, same) => {
  const { requests } = await open({ 'POST /api/front/recharge/create': inTurn(first, created) });
  const pay = await screen.findByRole('button', { name: '付款 ¥50.00' });
  await userEvent.click(pay);
  expect(await screen.findByRole('alert')).toHaveTextContent(words);
  await userEvent.click(pay);
  await waitFor(() => expect(leave).toHaveBeenCalled());
  const keys = requests
    .filter((request) => request.url.endsWith('/recharge/create'))
    .map((request) => request.headers['Idempotency-Key']);
  expect(keys[0] === keys[1]).toBe(same);
});

it('opens a provider’s web page, and no other address', async () => {
  let address = 'javascript:alert(1)';
  await open({ 'POST /api/front/payment/online': () => ({ ...opened, pay_url: address }) });
  const pay = await screen.findByRole('button', { name: '付款 ¥50.00' });
  await userEvent.click(pay);
  expect(await screen.findByRole('alert')).toHaveTextContent('付款页面打不开');
  expect(leave).not.toHaveBeenCalled();
  address = 'https://pay.example/checkout/1';
  await userEvent.click(pay);
  await waitFor(() => expect(leave).toHaveBeenCalledWith('https://pay.example/checkout/1'));
});

it('shows a payment by QR code in the wallet, where its result appears', async () => {
  const { router } = await open({
    'POST /api/front/payment/online': { ...opened, mode: 'qr', pay_url: 'weixin://wxpay/bizpayurl?pr=1' },
  });
  await userEvent.click(await screen.findByRole('button', { name: '付款 ¥50.00' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/user/wallet'));
  expect(payment.readPending(rechargePaymentKey)?.qr).toBe('weixin://wxpay/bizpayurl?pr=1');
  expect(leave).not.toHaveBeenCalled();
});

it('shows why a method cannot be chosen', async () => {
  await open();
  expect(await screen.findByRole('radio', { name: /微信支付/ })).toBeDisabled();
  expect(screen.getByText('未配置')).toBeVisible();
});

it('disables the form when the daily limit is used up', async () => {
  await open({ 'GET /api/front/recharge/options': { ...options, day_left: '0.00' } });
  expect(await screen.findByText('今日充值额度已用完，请明天再来')).toBeVisible();
  expect(screen.getByRole('button', { name: '立即充值' })).toBeDisabled();
});
