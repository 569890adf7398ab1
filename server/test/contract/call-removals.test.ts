import { removals } from './call-removals';
import type { CallShape } from './call-shapes';

const shape = (answer: Record<string, string>, takes: Record<string, string> = {}): CallShape => ({
  takes,
  answer: { '': 'object', ...answer },
});
const removalsOf = (before: CallShape, now: CallShape | undefined, today = '2027-01-30') =>
  removals({ 'GET /api/x': before }, now ? { 'GET /api/x': now, 'GET /api/y': now } : {}, today);

it.each<[what: string, before: CallShape, now: CallShape | undefined, fault: string]>([
  ['without the call', shape({}), undefined, 'GET /api/x is gone'],
  ['without a field', shape({ name: 'string' }), shape({}), 'GET /api/x: "name" is no longer answered'],
  [
    'with a nullable field',
    shape({ name: 'string' }),
    shape({ name: 'null|string' }),
    'GET /api/x: "name" may now be null',
  ],
  ['without a response', shape({}), { takes: {}, answer: {} }, 'GET /api/x: "" is no longer answered'],
  ['without an input', shape({}, { id: 'integer' }), shape({}), 'GET /api/x: "id" is no longer taken'],
  [
    'with a formerly optional input required',
    shape({}, { id: 'integer|undefined' }),
    shape({}, { id: 'integer' }),
    'GET /api/x: "id" may no longer be undefined',
  ],
  ['with a new required input', shape({}), shape({}, { id: 'integer' }), 'GET /api/x: "id" is now required'],
])('a released call cannot be replaced by one %s', (_what, before, now, fault) => {
  expect(removalsOf(before, now)).toEqual([fault]);
});

it.each<[what: string, before: CallShape, now: CallShape]>([
  ['with more fields and calls', shape({ name: 'string' }), shape({ name: 'string', more: 'integer' })],
  ['with an optional field always present', shape({ name: 'string|undefined' }), shape({ name: 'string' })],
  ['with integers replaced by numbers in a response', shape({ price: 'integer' }), shape({ price: 'number' })],
  ['with more types of an input', shape({}, { id: 'integer' }), shape({}, { id: 'number|string' })],
  ['with a new optional input', shape({}), shape({}, { more: 'string|undefined' })],
  [
    'with a required field inside a new optional input',
    shape({}),
    shape({}, { a: 'object|undefined', 'a.b': 'integer' }),
  ],
])('a released call can be replaced by one %s', (_what, before, now) => {
  expect(removalsOf(before, now)).toEqual([]);
});

it('a field with a date, and all fields inside it, may be removed from that date on', () => {
  const field = { ...shape({ old: 'object', 'old.name': 'string' }), retires: { old: '2027-01-31' } };
  expect(removalsOf(field, shape({}), '2027-01-30')).toHaveLength(2);
  expect(removalsOf(field, shape({}), '2027-01-31')).toEqual([]);
  const call = { ...shape({}), retires: { '': '2027-01-31' } };
  expect(removalsOf(call, undefined, '2027-01-30')).toEqual(['GET /api/x is gone']);
  expect(removalsOf(call, undefined, '2027-01-31')).toEqual([]);
});
