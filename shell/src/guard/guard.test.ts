/** @jest-environment node */
import { orderOfPaySuccess } from './guard';

it.each([
  ['#/pages/order/pay-success?id=ABC123', '/order/detail/ABC123'],
  ['#/pages/order/pay-success?id=a%2Fb', '/order/detail/a%2Fb'],
  ['#/pages/order/pay-success', null],
  ['#/pages/order/pay-success?id=', null],
  ['#main', null],
  ['', null],
])('the hash %s resolves to %s', (hash, expected) => {
  expect(orderOfPaySuccess(hash)).toBe(expected);
});
