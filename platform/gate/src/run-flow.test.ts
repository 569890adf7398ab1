import { showsMoney } from './run-flow';

it.each([
  ['¥5.76', '5.76'],
  ['now $ 5.76, was', '5.76'],
  ['¥1,234.50 in all', '1234.50'],
  ['¥1234.50', '1234.50'],
  ['€50', '50.00'],
  ['¥50.00', '50'],
  ['-¥28.00', '-28.00'],
  ['¥5.76\n起', '5.76'],
])('a flow finds in "%s" the amount %s', (text, amount) => expect(showsMoney(text, amount)).toBe(true));

it.each([
  ['¥0.58', '5.76'],
  ['¥57.60', '5.76'],
  ['¥5.761', '5.76'],
  ['¥15.76', '5.76'],
  ['¥5.00', '50.00'],
  ['¥500', '50.00'],
  ['¥50.50', '50.00'],
  ['5.76 pieces', '5.76'],
])('a flow does not find in "%s" the amount %s', (text, amount) => expect(showsMoney(text, amount)).toBe(false));
