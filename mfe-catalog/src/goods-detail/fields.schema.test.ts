import type { GoodsField } from '@shop/server/wire';
import { cleanFields, fieldProblem, rememberedFields } from './fields.schema';

const field = (changes: Partial<GoodsField> = {}): GoodsField => ({
  key: 'uid',
  label: 'UID',
  type: 'text',
  required: true,
  options: [],
  remember: true,
  ...changes,
});

it.each([
  ['', 'field.required'],
  ['ab', 'field.short'],
  ['abcdef', 'field.long'],
  ['ABC', 'field.pattern'],
  ['xabc', 'field.pattern'],
  ['<b>', 'field.pattern'],
  ['abc', null],
])('tests "%s" against lengths and the whole pattern', (value, problem) => {
  expect(fieldProblem(field({ min_len: 3, max_len: 5, pattern: '[a-w]+' }), value, {})).toBe(problem);
});

it('has no problem with a required select that offers nothing for the chosen value, because it is not shown', () => {
  const zone = field({
    key: 'zone',
    type: 'select',
    depends_on: 'server',
    options: [{ value: 'z1', label: '1', when: ['cn'] }],
  });
  expect(fieldProblem(zone, '', { server: 'os' })).toBeNull();
  expect(fieldProblem(zone, '', { server: 'cn' })).toBe('field.choose');
});

it('counts an emoji as one character', () => {
  expect(fieldProblem(field({ max_len: 2 }), '😀😀', {})).toBeNull();
});

it('leaves a pattern that cannot be read to the server', () => {
  expect(fieldProblem(field({ pattern: '(' }), 'abc', {})).toBeNull();
});

it('folds full-width digits and trims, but takes a password as it was typed', () => {
  const fields = [field({ type: 'number' }), field({ key: 'secret', type: 'password' })];
  expect(cleanFields(fields, { uid: ' １２３ ', secret: ' a１ ' })).toEqual({ uid: '123', secret: ' a１ ' });
});

it('never remembers a password, even where the server says so', () => {
  const fields = [field(), field({ key: 'secret', type: 'password', remember: true })];
  expect(rememberedFields(fields, { uid: '1', secret: 'x' })).toEqual({ uid: '1' });
});
