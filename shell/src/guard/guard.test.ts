/** @jest-environment node */
import type { ContractRoute } from '@platform/host/releases.store';
import { mayEnter, orderOfPaySuccess, routeOf } from './guard';

const route = (path: string, requiresLogin = false): ContractRoute => ({
  path,
  page: './x',
  module: '',
  title: 'x',
  remote: 'r',
  flags: { requiresLogin },
});

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

it('prefers a static segment to a parameter', () => {
  const routes = [route('/goods/:id'), route('/goods/hot')];
  expect(routeOf(routes, '/goods/hot')?.path).toBe('/goods/hot');
  expect(routeOf(routes, '/goods/7')?.path).toBe('/goods/:id');
  expect(routeOf(routes, '/nowhere')).toBeNull();
});

it('blocks a guest at a guarded route only', () => {
  expect(mayEnter(route('/user', true), false)).toBe(false);
  expect(mayEnter(route('/user', true), true)).toBe(true);
  expect(mayEnter(route('/home'), false)).toBe(true);
  expect(mayEnter(null, false)).toBe(true);
});
