import { renderPage, testUser } from '@shop/shared/testing';
import { screen } from '@testing-library/react';
import * as page from './receipt-page';

const paid = {
  recharge_no: 'R1234567',
  amount: '100.00',
  currency: 'CNY',
  method: 'alipay',
  created_at: '2026-01-02T03:04:05Z',
  paid_at: '2026-01-02T03:05:05Z',
  payment_no: 'P1',
  refunded_amount: '0.00',
};
const open = (recharge: object) =>
  renderPage(page, {
    path: '/user/receipt/R1234567',
    route: '/user/receipt/:id',
    session: { user: testUser, language: 'en' },
    api: { 'GET /api/front/recharge/info': recharge },
  });
const lines = () =>
  screen
    .getAllByRole('definition')
    .map((value) => `${value.previousElementSibling?.textContent}: ${value.textContent}`);

it('a paid top-up has a receipt with its refund, without a phone number', async () => {
  await open({ ...paid, refunded_amount: '30.00' });
  const sheet = await screen.findByRole('article', { name: 'Receipt' });
  const facts = ['Top-up number: R1234567', 'Payment method: Alipay', 'Payment number: P1'];
  expect(lines()).toEqual(
    expect.arrayContaining([...facts, 'Paid: ¥100.00', 'Returned to the payment method: −¥30.00']),
  );
  expect(lines()).toHaveLength(7);
  expect(sheet).not.toHaveTextContent(testUser.phone.slice(-4));
});

it('a top-up that is not paid has no receipt', async () => {
  await open({ ...paid, paid_at: null, payment_no: null });
  expect(await screen.findByText('No receipt for this top-up yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Transactions' })).toHaveAttribute('href', '/user/log');
});
