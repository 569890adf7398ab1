/** @jest-environment node */
import { compareMoney, formatDiscount, formatMoney, fromMinor, multiplyMoney, toMinor } from './';

it.each([
  ['12.34', 1234],
  ['0.05', 5],
  ['-3.2', -320],
  ['100', 10000],
  ['-0.00', 0],
])('reads %s as %i minor units', (text, minor) => {
  expect(toMinor(text)).toBe(minor);
});
it.each(['', 'abc', '1.234', '1,000.00', 'NaN', '1e3', '99999999999999999'])('refuses %p', (text) => {
  expect(() => toMinor(text)).toThrow(RangeError);
});
it.each([1, 10, 1234, -5, 0, 99999999])('writes %i so that it can be read back', (minor) => {
  expect(toMinor(fromMinor(minor))).toBe(minor);
});
it('multiplies without a float: 0.1 × 3 is 0.30', () => {
  expect(multiplyMoney('0.10', 3)).toBe('0.30');
  expect(multiplyMoney('19.99', 100)).toBe('1999.00');
});
it('formats symbol, groups and sign, without a float', () => {
  expect(formatMoney('90071992547409931.1', 'CNY')).toBe('¥90,071,992,547,409,931.10');
  expect(formatMoney('-6.00', 'USD')).toBe('−$6.00');
  expect(formatMoney('6.00', 'USD', { sign: true })).toBe('+$6.00');
  expect(formatMoney('?', 'USD')).toBe('?');
});
it('compares by value, not by text', () => {
  expect(compareMoney('9.00', '10.00')).toBe(-1);
  expect(compareMoney('10.0', '10.00')).toBe(0);
});
it('formats a discount of 8 as 8折 and as 20% off', () => {
  expect(formatDiscount('8', 'zh-CN')).toBe('8折');
  expect(formatDiscount('8.5', 'en')).toBe('15% off');
});
