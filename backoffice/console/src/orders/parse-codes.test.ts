import { parseCodes } from './parse-codes';

it('each line becomes a number and a password, with any separator', () => {
  expect(parseCodes('A-1 pw\n\n  B-2,pw2 \nC-3，pw3\nD-4')).toEqual({
    codes: [
      { card_no: 'A-1', card_pwd: 'pw' },
      { card_no: 'B-2', card_pwd: 'pw2' },
      { card_no: 'C-3', card_pwd: 'pw3' },
      { card_no: 'D-4', card_pwd: '' },
    ],
    bad: [],
  });
});

it('lines with too many parts and duplicate codes are reported', () => {
  expect(parseCodes('A 1\nB 2 3\nA  1\nC').bad).toEqual([2, 3]);
});
