import { readCodeLines } from './code-lines';

/** Each code as "line: number | password | date", and each fault as "line: fault". */
const read = (...lines: string[]) =>
  [...readCodeLines(lines.join('\n'))].map(
    ({ line, cells, fault }) =>
      `${line}: ${fault ?? [cells.card_no, cells.card_pwd, cells.expire_at].map((cell) => cell ?? '').join(' | ')}`,
  );

it.each([
  ['commas', 'A1,p1,2027-01-31'],
  ['semicolons', 'A1;p1;2027-01-31'],
  ['tabs', 'A1\tp1\t2027-01-31'],
  ['pipes', 'A1 | p1 | 2027-01-31'],
  ['dashes', 'A1----p1----2027-01-31'],
  ['blanks', 'A1   p1 2027-01-31'],
  ['full-width separators', 'A1，p1；'.replace('；', '，2027-01-31')],
  ['a no-break space', 'A1\u00a0p1\u00a02027-01-31'],
  ['labels', '卡号：A1 密码：p1 有效期至：2027-01-31'],
  ['labels in English', 'Card No: A1, PIN: p1, valid until: 2027-01-31'],
  ['formulas of text', '="A1",="p1",2027-01-31'],
  ['a running number', '1,A1,p1,2027-01-31'],
])('reads a file with %s', (_name, text) => {
  expect(read(text)).toEqual(['1: A1 | p1 | 2027-01-31']);
});

it('reads another separator on each line, and only the separator of most lines inside a password', () => {
  expect(read('CARD01----pw1', 'CARD02|pw2', 'C3;p3', 'C4，p4', 'C5 p5', '', 'C6')).toEqual([
    '1: CARD01 | pw1 | ',
    '2: CARD02 | pw2 | ',
    '3: C3 | p3 | ',
    '4: C4 | p4 | ',
    '5: C5 | p5 | ',
    '7: C6 |  | ',
  ]);
  expect(read('A1 p1', 'A2 p|w;2,x', 'A3 p3')[1]).toBe('2: A2 | p|w;2,x | ');
  expect(read('1234 5678,p1', 'X2,p2')).toEqual(['1: 1234 5678 | p1 | ', '2: X2 | p2 | ']);
  expect(read('A1 p1, 2027-01-31')).toEqual(['1: separator']);
});

it('keeps everything after the first dashes as the password, if the third part is no date', () => {
  expect(read('a@b.com----p|w----client;1----to,ken')).toEqual(['1: a@b.com | p|w----client;1----to,ken | ']);
});

it.each([
  ['card_no;card_pwd;expire_at\nX1;abc;20270105', '2: X1 | abc | 20270105'],
  ['\uFEFF卡号,卡密\nA1,p1', '2: A1 | p1 | '],
  ['序号\t卡密\t有效期至\n1\tA1\t2027/1/5', '2: A1 |  | 2027/1/5'],
  ['No.|Card Number|PIN Code|Expiry Date\n7|A 1|p1|', '2: A 1 | p1 | '],
  ['"Code","Password"\n12,"p,1"', '2: 12 | p,1 | '],
  ['密码,卡号（必填）,备注\np1,A1,ok', '2: A1 | p1 | '],
  ['Card No Password\nA1 p1', '2: A1 | p1 | '],
  ['Steam 10 USD\n\nSerial Number;Key\nS1;K1', '1: heading\n4: S1 | K1 | '],
  ['卡号,卡密\nA1,p1\n卡号,卡密\nA2,p2', '2: A1 | p1 | \n4: A2 | p2 | '],
  ['卡号\nA1\nA2,p2', '2: A1 |  | \n3: format'],
  ['卡号,卡密\nA1;p1\nA2,p2', '2: separator\n3: A2 | p2 | '],
  ['卡号,密码,bogus\nA1,p1,x', '1: heading\n2: A1 | p1 | '],
  ['编号,密码\n7,p1', '1: heading\n2: p1 |  | '],
  ['numéro;mot de passe\nX1;abc', '1: heading\n2: X1 | abc | '],
  ['番号,暗証\nX1,abc', '1: heading\n2: X1 | abc | '],
  ['A1,p1\n合计,20', '1: A1 | p1 | \n2: heading'],
])('understands the header of %j, or names it', (text, result) => {
  expect(read(text)).toEqual(result.split('\n'));
});

it.each([
  ['1,AAAA-BBBB\n2,CCCC-DDDD', '1: AAAA-BBBB |  | \n2: CCCC-DDDD |  | '],
  ['1. A1 p1\n2. A2 p2\n4. A4 p4', '1: A1 | p1 | \n2: A2 | p2 | \n3: A4 | p4 | '],
  ['No.1 A1 p1\n(2) A2 p2', '1: A1 | p1 | \n2: A2 | p2 | '],
  ['001\tA1\n002\tA2\n3', '1: A1 |  | \n2: A2 |  | \n3: serial'],
  ['"1","A1"\n"2","A2"', '1: A1 |  | \n2: A2 |  | '],
  ['7,A7\n8,A8', '1: serial\n2: serial'],
  ['A1,"p\n2、A2', '1: quote\n2: A2 |  | '],
  ['1000001 p1\n1000002 p2', '1: 1000001 | p1 | \n2: 1000002 | p2 | '],
])('removes the running numbers of %j, or names them', (text, result) => {
  expect(read(text)).toEqual(result.split('\n'));
});

it.each([
  '1.23457E+15',
  '1.2E15',
  '1,23E+15',
  '１．２３Ｅ＋１５',
  '1E+15 pw',
  'A1;4.5e+09',
  '"6,1E+11",pw',
  '1234567890123.0',
  'A1,#######',
  '#N/A',
])('refuses %s, which a spreadsheet has made of a number', (text) => {
  expect(read('A0 p0', text, 'A2 p2')).toEqual(['1: A0 | p0 | ', '2: spreadsheet', '3: A2 | p2 | ']);
});

it.each(['123E456', '12E4567890', 'AB1E10', '1E10-22'])('accepts %s, which only looks like such a number', (text) => {
  expect(read(text)).toEqual([`1: ${text} |  | `]);
});

it('reports a line with a fault by its number and reads the lines after it', () => {
  expect(read('C1,p1', 'C2,p2', 'C3,"abc', 'C4,p4', 'C5,p5')).toEqual([
    '1: C1 | p1 | ',
    '2: C2 | p2 | ',
    '3: quote',
    '4: C4 | p4 | ',
    '5: C5 | p5 | ',
  ]);
  expect(read('card_no,card_pwd', '"A1,p1', 'A2,"p"2', '"A3","p""3"', ',p4')).toEqual([
    '2: quote',
    '3: quote',
    '4: A3 | p"3 | ',
    '5: format',
  ]);
  expect(read('A1,"p', '1",x', 'C2,p2')).toEqual(['1: quote', '2: quote', '3: C2 | p2 | ']);
  expect(read('x'.repeat(1001), 'A\u200b2', 'a 1 b 2', `A4 ${'p'.repeat(997)}`)).toEqual([
    '1: long',
    '2: characters',
    '3: format',
    `4: A4 | ${'p'.repeat(997)} | `,
  ]);
});

it('reads an address as a code, and refuses a password without a number', () => {
  expect(read('https://gift.example/a?b=1 pw', '密码：p1')).toEqual([
    '1: https://gift.example/a?b=1 | pw | ',
    '2: format',
  ]);
});

it('keeps a quotation mark inside a value', () => {
  expect(read('CARD01 pa"ss', 'C2,5"', 'C3;a"b"c')).toEqual([
    '1: CARD01 | pa"ss | ',
    '2: C2 | 5" | ',
    '3: C3 | a"b"c | ',
  ]);
});

it('reads every kind of line end, and the date of a line without a password', () => {
  expect(read('A1 p1\r\nA2 p2\rA3 2027-01-31\r\n')).toEqual([
    '1: A1 | p1 | ',
    '2: A2 | p2 | ',
    '3: A3 |  | 2027-01-31',
  ]);
  expect(read('A1 p1 2027/1/5 0:00', 'A2,p2,31/02/2027')).toEqual([
    '1: A1 | p1 | 2027/1/5T0:00',
    '2: A2 | p2 | 31/02/2027',
  ]);
});
