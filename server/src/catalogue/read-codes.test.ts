import { expiryOf, hasTooManyLines, readCodes } from './read-codes';

const place = { goods: 'card', spec: 'a' };
const now = Date.parse('2026-11-22');
const read = (text: string) => readCodes(text, place, 'Asia/Shanghai', now);

it('readCodes reads the codes of one value, or of the values that a file names', async () => {
  const code = { ...place, card_pwd: '', expire_at: null };
  expect(await read('A-1 pw 2027-01-31\n\nD-4')).toEqual({
    codes: [
      { ...code, line: 1, card_no: 'A-1', card_pwd: 'pw', expire_at: '2027-01-31T15:59:59.000Z' },
      { ...code, line: 3, card_no: 'D-4' },
    ],
    faults: [],
  });
  expect((await read('\uFEFFspec,card_no,goods\nb,"A 1",other\n,B,\n')).codes).toEqual([
    { ...code, line: 2, goods: 'other', spec: 'b', card_no: 'A 1' },
    { ...code, line: 3, card_no: 'B' },
  ]);
});

it.each([
  '2027-1-5',
  '2027/01/05',
  '2027.1.05',
  '20270105',
  '2027年1月5日',
  '２０２７-０１-０５',
  '2027/1/5 0:00',
  '2027-01-05 00:00:00',
  '2027-01-05T24:00',
])('a code that is valid until %s ends with that day in the time zone of the shop', (text) => {
  expect(expiryOf(text, 'Asia/Shanghai')?.toJSON()).toBe('2027-01-05T15:59:59.000Z');
  expect(expiryOf(text, 'America/New_York')?.toJSON()).toBe('2027-01-06T04:59:59.000Z');
});

it('a code may end at a time, in the time zone of the shop or a named one, or never', () => {
  const ends = ['2027/1/5 9:30', '2027-01-05T09:30:15', '2027-01-05T00:00:00.000Z', '2027-01-05 09:30:00+02:00'];
  expect(ends.map((text) => expiryOf(text, 'Asia/Shanghai')?.toJSON())).toEqual([
    '2027-01-05T01:30:00.000Z',
    '2027-01-05T01:30:15.000Z',
    '2027-01-05T00:00:00.000Z',
    '2027-01-05T07:30:00.000Z',
  ]);
  for (const text of ['', ' ', '永久有效', '长期', '-', 'never', 'N/A']) expect(expiryOf(text, 'UTC')).toBeNull();
});

it.each([
  '2027-02-31',
  '2026-13-01',
  '2027-00-10',
  '2027-04-31T10:00Z',
  '31/02/2027',
  '01/05/2027',
  '20270229',
  '2027-01',
  '46418',
  'soon',
  '2027-01-05 25:00',
])('an expiry date of %s is refused', (text) => {
  expect(expiryOf(text, 'Asia/Shanghai')?.toJSON()).toBeNull();
});

it('readCodes reports past and impossible dates beside the faults of lines, and keeps the others', async () => {
  const { codes, faults } = await read('e5 f 2026-11-01\ng6 h 2027-13-45\nA"1,"\nok');
  expect(faults).toEqual([
    { line: 1, kind: 'expired' },
    { line: 2, kind: 'expiry' },
    { line: 3, kind: 'quote' },
  ]);
  expect(codes.map(({ card_no }) => card_no)).toEqual(['ok']);
});

it('readCodes refuses every line of a file in UTF-16', async () => {
  const utf16 = Buffer.from('\uFEFFA-1,pw\nB-2,pw\n', 'utf16le');
  for (const text of [utf16.toString('utf8'), utf16.subarray(2).toString('utf8')])
    expect(await read(text)).toMatchObject({
      codes: [],
      faults: [{ line: 1, kind: 'characters' }, { line: 2 }, { line: 3 }],
    });
});

it('readCodes counts lines of every kind before it reads them, and reports one that is too long', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    expect(hasTooManyLines(`a${end}`.repeat(9_999))).toBe(false);
    expect(hasTooManyLines(`a${end}`.repeat(10_000))).toBe(true);
  }
  expect(await read(`good\n${'a,'.repeat(700_000)}\nlast`)).toMatchObject({
    codes: [{ line: 1 }, { line: 3 }],
    faults: [{ line: 2, kind: 'long' }],
  });
});
