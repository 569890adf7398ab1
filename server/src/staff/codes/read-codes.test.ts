import { readCodes } from './read-codes';

const place = { goods: 'card', spec: 'a' };
const now = Date.parse('2026-11-22');
const read = (text: string) => readCodes(text, place, now);

it('takes numbers, passwords and days, whatever is between them, and quotes as CSV has them', () => {
  expect(read('A-1 pw\n\n  B-2,pw2,2027-01-31 \r\nC-3，pw3\nD-4\n"E 5","p,5"')).toEqual({
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

it('takes CSV with a header in any order, also for several products', () => {
  expect(read('\uFEFFspec,card_no,goods\nb,"A 1",other\n,B,\n').codes).toEqual([
    { line: 2, goods: 'other', spec: 'b', card_no: 'A 1', card_pwd: '', expire_at: null },
    { line: 3, ...place, card_no: 'B', card_pwd: '', expire_at: null },
  ]);
});

it('names lines with too many parts, without a number, too long, and with no day or one that is over', () => {
  const { codes, faults } = read(`a b 2027-01-01 x\n${'y'.repeat(201)}\nc d soon\ne f 2026-11-01\ng h 2027-13-45\nok`);
  expect(faults).toEqual([
    { line: 1, kind: 'format' },
    { line: 2, kind: 'long' },
    { line: 3, kind: 'expiry' },
    { line: 4, kind: 'expired' },
    { line: 5, kind: 'expiry' },
  ]);
  expect(codes.map(({ card_no }) => card_no)).toEqual(['ok']);
  expect(read('card_no,card_pwd\n,only a password').faults).toEqual([{ line: 2, kind: 'format' }]);
  expect(read('card_no\n"open').faults).toEqual([{ line: 2, kind: 'format' }]);
});
