/** @jest-environment node */
import { phaseOf } from './order';

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
