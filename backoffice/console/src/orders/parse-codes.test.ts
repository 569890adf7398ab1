import { parseCodes } from './parse-codes';

it('a delivery has a number and a password in each line; others and duplicates are reported', () => {
  expect(parseCodes('A-1 pw\n\nB-2----pw2\nB-2|pw2\nC-3 pw 2027-01-31\nD-4,"x')).toEqual({
    codes: [
      { card_no: 'A-1', card_pwd: 'pw' },
      { card_no: 'B-2', card_pwd: 'pw2' },
    ],
    bad: [
      { line: 4, kind: 'twice', other: 3 },
      { line: 5, kind: 'format' },
      { line: 6, kind: 'quote' },
    ],
  });
});
