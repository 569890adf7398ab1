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

it('accepts a required select without options for the chosen value, because it is hidden', () => {
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

it('leaves a pattern that it cannot compile to the server', () => {
  expect(fieldProblem(field({ pattern: '(' }), 'abc', {})).toBeNull();
});

it('folds full-width digits and trims, but keeps a password unchanged', () => {
  const fields = [field({ type: 'number' }), field({ key: 'secret', type: 'password' })];
  expect(cleanFields(fields, { uid: ' １２３ ', secret: ' a１ ' })).toEqual({ uid: '123', secret: ' a１ ' });
});

it.each(['—剑—', '👩‍👧', '٧league'])('keeps the character name %j unchanged', (name) => {
  expect(cleanFields([field({ type: 'text' })], { uid: name })).toEqual({ uid: name });
});

it('never remembers a password, even if the server allows it', () => {
  const fields = [field(), field({ key: 'secret', type: 'password', remember: true })];
  expect(rememberedFields(fields, { uid: '1', secret: 'x' })).toEqual({ uid: '1' });
});
