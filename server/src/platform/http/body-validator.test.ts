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

it.each([
  ['an clear sequence', clear],
  ['NUL', 'a\0b'],
  ['C1', 'a\u009b31m'],
  ['a turned direction', 'a\u202egnp.exe'],
  ['an isolate', 'a\u2066b'],
  ['half a pair', '\ud800'],
])('body validation refuses %s in every text, by its path', (_name, bad) => {
  expect(faults({ name: bad })).toEqual(['/name control']);
  expect(faults({ note: bad })).toEqual(['/note control']);
  expect(
    faults({
      list: [
        { note: '', key: '' },
        { note: '', key: bad },
      ],
    }),
  ).toEqual(['/list/1/key control']);
  expect(faults({ fields: { 'a/b': bad } })).toEqual(['/fields/a~1b control']);
  expect(faults({ fields: { [bad]: 'x' } })).toEqual(['/fields control']);
  expect(faults({ rest: { deep: [bad] } })).toEqual(['/rest/deep/0 control']);
  expect(faults({ password: bad })).toEqual([]);
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
