import { removals } from './call-removals';
import type { CallShape } from './call-shapes';

const shape = (answer: Record<string, string>, takes: Record<string, string> = {}): CallShape => ({
  takes,
  answer: { '': 'object', ...answer },
});
const judged = (before: CallShape, now: CallShape | undefined, today = '2027-01-30') =>
  removals({ 'GET /api/x': before }, now ? { 'GET /api/x': now, 'GET /api/y': now } : {}, today);

it.each<[what: string, before: CallShape, now: CallShape | undefined, fault: string]>([
  ['a call', shape({}), undefined, 'GET /api/x is gone'],
  ['a field', shape({ name: 'string' }), shape({}), 'GET /api/x: "name" is no longer answered'],
  ['a value', shape({ name: 'string' }), shape({ name: 'null|string' }), 'GET /api/x: "name" may now be null'],
  ['any value', shape({ name: 'string' }), shape({ name: 'unknown' }), 'GET /api/x: "name" may now be unknown'],
  ['an answer', shape({}), { takes: {}, answer: {} }, 'GET /api/x: "" is no longer answered'],
  ['an input', shape({}, { id: 'integer' }), shape({}), 'GET /api/x: "id" is no longer taken'],
  ['a type', shape({}, { id: 'number' }), shape({}, { id: 'integer' }), 'GET /api/x: "id" may no longer be number'],
  [
    'a choice',
    shape({}, { id: 'integer|undefined' }),
    shape({}, { id: 'integer' }),
    'GET /api/x: "id" may no longer be undefined',
  ],
  ['leave to send less', shape({}), shape({}, { id: 'integer' }), 'GET /api/x: "id" is now required'],
])('refuses to take back %s', (_what, before, now, fault) => {
  expect(judged(before, now)).toEqual([fault]);
});

it.each<[what: string, before: CallShape, now: CallShape]>([
  ['more fields and calls', shape({ name: 'string' }), shape({ name: 'string', more: 'integer' })],
  ['a field that is always there', shape({ name: 'string|undefined' }), shape({ name: 'string' })],
  ['numbers of another kind in an answer', shape({ price: 'integer' }), shape({ price: 'number' })],
  ['an input that takes more', shape({}, { id: 'integer' }), shape({}, { id: 'number|string' })],
  ['an input that may be left out', shape({}), shape({}, { more: 'string|undefined' })],
  ['a required field of an input that is not sent', shape({}), shape({}, { a: 'object|undefined', 'a.b': 'integer' })],
])('allows %s', (_what, before, now) => {
  expect(judged(before, now)).toEqual([]);
});

it('allows what had a date, with all that is in it, from that date on', () => {
  const field = { ...shape({ old: 'object', 'old.name': 'string' }), retires: { old: '2027-01-31' } };
  expect(judged(field, shape({}), '2027-01-30')).toHaveLength(2);
  expect(judged(field, shape({}), '2027-01-31')).toEqual([]);
  const call = { ...shape({}), retires: { '': '2027-01-31' } };
  expect(judged(call, undefined, '2027-01-30')).toEqual(['GET /api/x is gone']);
  expect(judged(call, undefined, '2027-01-31')).toEqual([]);
});
