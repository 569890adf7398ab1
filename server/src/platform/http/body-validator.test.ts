import { Type } from 'typebox';
import { anyText, bodyValidator, ofLines } from './body-validator';

const validate = bodyValidator(
  Type.Object({
    name: Type.Optional(Type.String()),
    note: Type.Optional(Type.Union([Type.String(ofLines), Type.Null()])),
    password: Type.Optional(Type.String(anyText)),
    list: Type.Optional(Type.Array(Type.Object({ note: Type.String(ofLines), key: Type.String() }))),
    fields: Type.Optional(Type.Record(Type.String(), Type.String())),
    rest: Type.Optional(Type.Unknown()),
  }),
);
const faults = (body: unknown) =>
  validate(body) ? [] : validate.errors?.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);

const clear = '\u001b[2J';

it('body validation refuses control characters in every text, by its path', () => {
  expect(faults({ name: clear })).toEqual(['/name control']);
  expect(faults({ note: clear })).toEqual(['/note control']);
  const items = ['', clear].map((key) => ({ note: '', key }));
  expect(faults({ list: items })).toEqual(['/list/1/key control']);
  expect(faults({ fields: { 'a/b': clear } })).toEqual(['/fields/a~1b control']);
  expect(faults({ fields: { [clear]: 'x' } })).toEqual(['/fields control']);
  expect(faults({ rest: { deep: [clear] } })).toEqual(['/rest/deep/0 control']);
  expect(faults({ password: clear })).toEqual([]);
});

it('body validation accepts line ends and tabs only where the schema allows them', () => {
  const lines = 'one\r\n\ttwo';
  expect(faults({ note: lines, list: [{ note: lines, key: '' }] })).toEqual([]);
  expect(faults({ name: lines })).toEqual(['/name control']);
  expect(faults({ list: [{ note: '', key: lines }] })).toEqual(['/list/0/key control']);
  // The permissions of the previous body do not apply to this one.
  expect(faults({ rest: { note: lines }, note: null })).toEqual(['/rest/note control']);
});

it('body validation accepts ordinary text, and refuses control characters nested more deeply than the stack', () => {
  expect(faults({ name: '原神 ¥5 – “Genshin” 👨‍👩‍👧 \u200fעברית' })).toEqual([]);
  let nested: unknown = clear;
  for (let depth = 0; depth < 100_000; depth++) nested = [nested];
  expect(validate({ rest: nested })).toBe(false);
});
