import { renderPage, type StubbedAnswers, testUser } from '@shop/shared/testing';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { finished, orderNo, unpaid } from '../order/order.fixture';
import * as page from './receipt-page';

const info = 'GET /api/front/order/info';
const open = (api: StubbedAnswers) =>
  renderPage(page, {
    path: `/order/receipt/${orderNo}`,
    route: '/order/receipt/:id',
    session: { user: testUser, language: 'en' },
    api,
  });
const lines = () =>
  screen
    .getAllByRole('definition')
    .map((value) => `${value.previousElementSibling?.textContent}: ${value.textContent}`);

it('shows the goods, the payment and the refunds on one sheet that can be printed', async () => {
  const print = jest.spyOn(window, 'print').mockImplementation(() => {});
  await open({ [info]: { ...finished, refunded_amount: '48.00' } });
  expect(await screen.findByRole('article', { name: 'Receipt' })).toBeVisible();
  expect(lines()).toEqual(
    expect.arrayContaining([
      `Order number: ${orderNo}`,
      'Product: Genshin Impact ¥50',
      'Unit price: ¥50.00 × 2',
      'Subtotal: ¥100.00',
      'Coupon: −¥4.00',
      'Paid: ¥96.00',
      'Refunded: −¥48.00',
    ]),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Print or save as PDF' }));
  expect(print).toHaveBeenCalledTimes(1);
});

it('shows the discounts by quantity and by level', async () => {
  const parts = [
    { kind: 'step', label: '2 or more', amount: '-8.00' },
    { kind: 'level', label: 'Gold', amount: '-2.00' },
  ];
  await open({ [info]: { ...finished, price: { list_amount: '110.00', parts } } });
  await screen.findByRole('article');
  expect(lines().join('; ')).toContain(
    'At list price: ¥110.00; 2 or more: −¥8.00; Gold: −¥2.00; Unit price: ¥50.00 × 2; Subtotal: ¥100.00; Coupon: −¥4.00',
  );
});

it('shows no whole phone number, even when the account is a phone number', async () => {
  const fields = [
    { key: 'account', label: 'Account', value: '13812345678' },
    { key: 'uid', label: 'UID', value: '100000001' },
  ];
  await open({ [info]: { ...finished, snapshot: { ...finished.snapshot, fields } } });
  await screen.findByRole('article');
  expect(lines()).toEqual(expect.arrayContaining(['Account: 138****5678', 'UID: 100000001']));
  expect(document.body).not.toHaveTextContent('13812345678');
});

it.each([
  ['13812345678', '138****5678'],
  ['+8613812345678', '+86138****5678'],
  ['+86 138 1234 5678', '+86 138****5678'],
  ['to +14155552671, +29051234', 'to +14****2671, +29****34'],
  ['id 13812345678, 13987654321', 'id 138****5678, 139****4321'],
  ['13812345678 13987654321', '138****5678 139****4321'],
  ['13812345678\n+86 139-8765-4321', '138****5678\n+86 139****4321'],
  ['913812345678', '913812345678'],
  ['138123456789', '138123456789'],
])('hides the middle of a phone number: %s', (text, shown) => {
  expect(page.withoutPhones(text)).toBe(shown);
});

it('shows an empty state for an unpaid order', async () => {
  await open({ [info]: unpaid });
  expect(await screen.findByText('No receipt for this order yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to the order' })).toHaveAttribute('href', `/order/detail/${orderNo}`);
});
