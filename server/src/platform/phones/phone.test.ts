import { maskPhone } from '@shop/shared/domain/mask-phone';
import { isCountry, phoneOf, possiblePhones } from './phone';

it.each([
  '13800138000',
  '+8613800138000',
  '0086 138 0013 8000',
  '１３８００１３８０００',
  '＋86（138）0013‑8000',
  '\u202a+86 138 0013 8000\u202c',
  '(86) 138 0013 8000',
  '८६ १३८००१३८०००',
  '\u200b١٣٨٠٠١٣٨٠٠٠',
])('phoneOf normalizes %j to the mainland number of eleven digits', (text) => {
  expect(phoneOf(text)).toEqual({ number: '13800138000', country: 'CN' });
});

it.each([
  ['+1 (415) 555-2671', '+14155552671', 'US'],
  ['001 415.555.2671', '+14155552671', 'US'],
  ['+852 5123 4567', '+85251234567', 'HK'],
  ['+7 701 123 4567', '+77011234567', 'KZ'],
  ['+1 876 555 1234', '+18765551234', 'JM'],
  ['+290 51234', '+29051234', 'SH'],
])('phoneOf normalizes %j to %s of %s', (text, number, country) => {
  expect(phoneOf(text)).toEqual({ number, country });
  expect(phoneOf(number)).toEqual({ number, country });
});

it.each([
  ['no country', '4155552671'],
  ['a landline of the mainland', '+86 10 6552 9988'],
  ['too short a number of the mainland', '1380013800'],
  ['a mainland number after a code of North America', '+13800138000'],
  ['a freephone number', '+1 800 555 0199'],
  ['a personal number that costs the caller', '+44 7012 345678'],
  ['a satellite', '+881 612 345 678'],
  ['letters', '+1415555CALL'],
  ['two numbers', '+14155552671,+14155552672'],
  ['nothing', ''],
])('phoneOf refuses %s', (_, text) => {
  expect(phoneOf(text)).toBeUndefined();
});

it('possiblePhones returns both possible numbers of digits without a plus', () => {
  expect(possiblePhones('13125550123')).toEqual(['13125550123', '+13125550123']);
  expect(possiblePhones('8613800138000')).toEqual(['13800138000']);
  expect(possiblePhones('447400123456')).toEqual(['+447400123456']);
  expect(possiblePhones('genshin')).toEqual([]);
});

it('isCountry accepts the codes of countries', () => {
  expect(['CN', 'US', 'HK', 'XX', 'us', ''].filter(isCountry)).toEqual(['CN', 'US', 'HK']);
});

it.each([
  ['13800138000', '138****8000'],
  ['+14155552671', '+14****2671'],
  ['+29051234', '+29****34'],
  ['12345678', '123****8'],
  ['1234567', '****'],
  ['', ''],
])('maskPhone masks %j as %s and hides at least four characters', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked);
});
