import { browserPattern, fitsPattern, patternFault } from './goods-fields';

const letters = (count: number) => `${'a'.repeat(count)}!`;

it('a field pattern matches the whole value, by characters and not by UTF-16 units', () => {
  expect(fitsPattern('[1-9]\\d{8}', '100200300')).toBe(true);
  expect(fitsPattern('[1-9]\\d{8}', 'x100200300')).toBe(false);
  expect(fitsPattern('a|b', 'ab')).toBe(false);
  expect(fitsPattern('^.{2}$', '👍🏽')).toBe(true);
  expect(fitsPattern('\\u{1F44D}|[\\u4e00-\\u9fff]+', '原神')).toBe(true);
  expect(fitsPattern('(?<server>asia|europe)-\\p{Lu}', 'asia-Ä')).toBe(true);
});

// On one machine, RegExp took 26 s and over 100 s for the first two with 28 characters.
it.each(['([a-z]+)*', '(\\w+\\s?)*', '(a|a)*', '(a?){100}a{100}', '(.*)*\\d', 'a*a*a*a*a*a*a*a*b', '((a*)*)*'])(
  'the field pattern %s matches 199 characters quickly on the server and is not sent to browsers',
  (pattern) => {
    expect(patternFault(pattern)).toBeUndefined();
    const start = process.cpuUsage();
    expect(fitsPattern(pattern, letters(199))).toBe(false);
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
    expect(browserPattern({ pattern })).toEqual({});
  },
);

it.each([
  ['(', 'patternSyntax'],
  ['a)|(b', 'patternSyntax'],
  ['(?=.*\\d)\\w+', 'patternSyntax'],
  ['(?<!a)b', 'patternSyntax'],
  ['(a)\\1', 'patternSyntax'],
  ['(?i)a', 'patternSyntax'],
  ['\\Qa\\E', 'patternSyntax'],
  ['a{401}', 'patternSize'],
  ['((a{10}){10}){10}', 'patternSize'],
  [`(\\pL{0,99}|){9}`, 'patternSyntax'],
  [`(\\p{L}{0,99}|){9}`, 'patternSize'],
  ['a'.repeat(301), 'patternSize'],
])('the field pattern %s is refused', (pattern, fault) => {
  expect(patternFault(pattern)).toBe(fault);
});

it('a browser gets only patterns that no value can keep busy, with the length for which that holds', () => {
  expect(browserPattern({})).toEqual({});
  expect(browserPattern({ pattern: '[1-9]\\d{8}' })).toEqual({ pattern: '[1-9]\\d{8}', max_len: 200 });
  expect(browserPattern({ pattern: '(PS|XBOX)-\\w{2,10}', max_len: 20 })).toMatchObject({ max_len: 20 });
  const email = '[^\\s@]+@[^\\s@]+\\.[^\\s@]{2,}';
  expect(browserPattern({ pattern: email, max_len: 64 })).toEqual({ pattern: email, max_len: 64 });
  expect(browserPattern({ pattern: email })).toEqual({});
  expect(browserPattern({ pattern: '\\d+', max_len: 999 })).toEqual({ pattern: '\\d+', max_len: 200 });
  expect(browserPattern({ pattern: '(' })).toEqual({});
});
