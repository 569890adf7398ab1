/** @jest-environment node */
import { phaseOf, toOrder } from './order';
import { listItem } from './order.fixture';

it.each([
  ['unpaid', 10, 0, 'none', null],
  ['closed', 10, 0, 'none', '2026-11-20T08:00:00.000Z'],
  ['processing', 12, 10, 'none', null],
  ['refunding', 12, 10, 'requested', null],
  ['refunding', 30, 20, 'requested', null],
  ['finished', 30, 20, 'refused', null],
  ['refunded', 60, 10, 'refunded', null],
  ['refunded', 60, 20, 'refunded', null],
])('names the state %s', (phase, status, delivery_status, refund_state, closed_at) => {
  expect(phaseOf({ status, delivery_status, refund_state, closed_at })).toBe(phase);
});

it('puts the end of the time to pay on this device’s clock', () => {
  const wire = { ...listItem, server_time: '2020-01-01T00:00:00.000Z', expire_at: '2020-01-01T00:10:00.000Z' };
  const left = Date.parse(toOrder(wire).closesAt) - Date.now();
  expect(Math.abs(left - 600_000)).toBeLessThan(5_000);
});
