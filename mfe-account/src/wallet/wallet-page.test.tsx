import { writePending } from '@shop/shared/payment';
import { inTurn, pageOf, renderPage, type StubbedAnswers, testUser } from '@shop/shared/testing';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { rechargePaymentKey } from '../account.api';
import * as page from './wallet-page';

const emptyLog = { ...pageOf([]), summary: { income: '0.00', expense: '0.00' } };
const payment = { payment_no: 'PAY12345', amount: '100.00', currency: 'CNY', scene: 'recharge', method: 'sandbox' };
const log = 'GET /api/front/user/balanceLog';
const status = 'GET /api/front/payment/status';
const open = (answers: StubbedAnswers = {}, session: object = {}) =>
  renderPage(page, {
    path: '/user/wallet',
    session: { user: testUser, ...session },
    api: { [log]: emptyLog, ...answers },
  });

afterEach(() => sessionStorage.clear());

it('shows the balance of both currencies and an empty log', async () => {
  await open();
  expect(await screen.findByText('还没有资金记录')).toBeVisible();
  expect(screen.getAllByText('¥100.00').length).toBeGreaterThan(0);
  expect(screen.getByText('$20.00')).toBeVisible();
  expect(screen.queryByRole('status', { name: /充值/ })).toBeNull();
});

describe('a pending payment', () => {
  const pendingThenPaid = () => inTurn({ ...payment, state: 'pending' }, { ...payment, state: 'paid' });
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([
    ['', '正在确认充值结果…'],
    ['weixin://x', '等待扫码付款…'],
  ])(
    'polls the result of a pending payment until it is paid, and refreshes the balance (QR code: “%s”)',
    async (qr, text) => {
      writePending(rechargePaymentKey, { paymentNo: 'PAY12345', qr });
      const refreshUser = jest.fn(async () => {});
      const { requests } = await open({ [status]: pendingThenPaid() }, { refreshUser });
      expect(await screen.findByText(text)).toBeVisible();
      if (qr) expect(await screen.findByRole('img', { name: '付款二维码' })).toBeVisible();
      expect(await screen.findByText('充值成功，¥100.00 已到账')).toBeVisible();
      expect(screen.queryByRole('img', { name: '付款二维码' })).toBeNull();
      expect(requests.find((request) => request.url.endsWith('/payment/status'))?.params).toEqual({
        payment_no: 'PAY12345',
      });
      await waitFor(() => expect(refreshUser).toHaveBeenCalledTimes(1));
      expect(sessionStorage.getItem('account.recharge-payment')).toBeNull();
    },
  );
});

it('says that a closed payment took no money', async () => {
  writePending(rechargePaymentKey, { paymentNo: 'PAY12345', qr: '' });
  await open({ [status]: { ...payment, state: 'closed' } });
  expect(await screen.findByText('充值未完成')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: '知道了' }));
  expect(screen.queryByText('充值未完成')).toBeNull();
});
