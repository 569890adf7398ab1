import { leastHold } from '../../test/support/longest-hold';
import { hasTooManyLines, readCodes } from './read-codes';

const place = { goods: 'card', spec: 'a' };
const now = Date.parse('2026-11-22');
const read = (text: string) => readCodes(text, place, now);

it('readCodes reads numbers, passwords and dates with any separator, and CSV quotes', async () => {
  expect(await read('A-1 pw\n\n  B-2,pw2,2027-01-31 \r\nC-3，pw3\nD-4\n"E 5","p,5"')).toEqual({
    codes: [
      { line: 1, ...place, card_no: 'A-1', card_pwd: 'pw', expire_at: null },
      { line: 3, ...place, card_no: 'B-2', card_pwd: 'pw2', expire_at: '2027-01-31T00:00:00.000Z' },
      { line: 4, ...place, card_no: 'C-3', card_pwd: 'pw3', expire_at: null },
      { line: 5, ...place, card_no: 'D-4', card_pwd: '', expire_at: null },
      { line: 6, ...place, card_no: 'E 5', card_pwd: 'p,5', expire_at: null },
    ],
    faults: [],
  });
});

it('readCodes reads CSV with a header in any order, also for several products', async () => {
  expect((await read('\uFEFFspec,card_no,goods\nb,"A 1",other\n,B,\n')).codes).toEqual([
    { line: 2, goods: 'other', spec: 'b', card_no: 'A 1', card_pwd: '', expire_at: null },
    { line: 3, ...place, card_no: 'B', card_pwd: '', expire_at: null },
  ]);
});

it('readCodes reports lines with too many parts, without a number, too long, and with an invalid or past date', async () => {
  const { codes, faults } = await read(
    `a b 2027-01-01 x\n${'y'.repeat(201)}\nc d soon\ne f 2026-11-01\ng h 2027-13-45\nok`,
  );
  expect(faults).toEqual([
    { line: 1, kind: 'format' },
    { line: 2, kind: 'long' },
    { line: 3, kind: 'expiry' },
    { line: 4, kind: 'expired' },
    { line: 5, kind: 'expiry' },
  ]);
  expect(codes.map(({ card_no }) => card_no)).toEqual(['ok']);
  expect((await read('card_no,card_pwd\n,only a password')).faults).toEqual([{ line: 2, kind: 'format' }]);
  expect((await read('card_no\n"open')).faults).toEqual([{ line: 2, kind: 'format' }]);
});

it('readCodes reports lines with control or invisible characters, and those of another encoding', async () => {
  const utf16 = Buffer.from('\uFEFFA-1,pw\nB-2,pw\n', 'utf16le');
  const bad = ['A\0-1 pw', 'B-\u001b[31m2 pw', 'C-3 p\u0007w', 'D\u200b-4', 'E\u202e-5', 'F-\ufffd\ufffd'];
  const { codes, faults } = await read(['good pw', ...bad, '\tgood-2\t\tpw\r'].join('\n'));
  expect(faults).toEqual(bad.map((_, index) => ({ line: index + 2, kind: 'characters' })));
  expect(codes.map(({ card_no }) => card_no)).toEqual(['good', 'good-2']);
  expect((await read(`card_no,card_pwd\n"A\0",x\n"B\n2",x`)).faults).toEqual([
    { line: 2, kind: 'characters' },
    { line: 3, kind: 'characters' },
  ]);
  for (const text of [utf16.toString('utf8'), utf16.subarray(2).toString('utf8')])
    expect(await read(text)).toMatchObject({
      codes: [],
      faults: [{ line: 1, kind: 'characters' }, { line: 2 }, { line: 3 }],
    });
});

it('readCodes measures a file before reading it', async () => {
  expect(hasTooManyLines('a\n'.repeat(9_999))).toBe(false);
  expect(hasTooManyLines('a\n'.repeat(10_000))).toBe(true);
  expect(await read(`good\n${'a,'.repeat(700_000)}`)).toEqual({ codes: [], faults: [{ line: 2, kind: 'long' }] });
});

it('readCodes lets other work run while it reads 500,000 characters', async () => {
  const text = `${'a'.repeat(46)} b\n`.repeat(9_999);
  const { longest, result } = await leastHold(() => read(text), 50);
  expect(result.codes).toHaveLength(9_999);
  expect(longest).toBeLessThan(50);
});
