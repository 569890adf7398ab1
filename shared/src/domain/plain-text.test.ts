/** @jest-environment node */
import { plainAmount, plainDigits, plainText, visibleText } from './plain-text';

it.each([
  ['\u202a+86 138 0013 8000\u202c', '+86 138 0013 8000'],
  ['\u2068١٣٨٠٠١٣٨٠٠٠\u2069', '13800138000'],
  ['\ufeff１２３\u00a0４５６', '123 456'],
  ['A1\u2011B2\u2212C3', 'A1-B2-C3'],
  ['+1\ufe0e\u00a0415\u2007555', '+1 415 555'],
  ['१२३\u200b', '123'],
])('reads the typed text %j as %j', (typed, plain) => expect(plainText(typed)).toBe(plain));

it.each([
  ['10,5', '10.5'],
  ['１０，５', '10.5'],
  ['10。5', '10.5'],
  ['١٠٫٥', '10.5'],
  ['1,234.50', '1234.50'],
  ['1.234,50', '1234.50'],
  ['-3,99', '-3.99'],
  ['1,234', '1,234'],
  ['10,5,5', '10,5,5'],
])('reads the typed amount %j as %j', (typed, plain) => expect(plainAmount(typed)).toBe(plain));

it.each([
  ['１２', '12'],
  ['10,5', '10'],
  ['1.5', '1'],
  ['1,000', '1000'],
  ['٣ ', '3'],
  ['个2', '2'],
  ['1️⃣2️⃣', '12'],
])('reads the typed whole number %j as %j', (typed, plain) => expect(plainDigits(typed)).toBe(plain));

it('keeps the letters of an email address and removes what is invisible', () => {
  expect(visibleText('\u200bann@mail.example\u202c')).toBe('ann@mail.example');
  expect(visibleText('аnn@mail.example')).toBe('аnn@mail.example');
});
