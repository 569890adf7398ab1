import { hasControlCharacters } from './plain-text';

it('hasControlCharacters finds control characters, NUL, lone surrogates and bidi overrides, and permits line ends and tabs on request', () => {
  for (const bad of ['\0', '\x1b[31m', '\x7f', '\x85', '\u202e', '\u2066', '\ud800']) {
    expect(hasControlCharacters(`a${bad}b`)).toBe(true);
    expect(hasControlCharacters(`a${bad}b`, { lines: true })).toBe(true);
  }
  expect(hasControlCharacters('a\nb')).toBe(true);
  expect(hasControlCharacters('a\r\n\tb', { lines: true })).toBe(false);
  expect(hasControlCharacters('原神 ¥5 – “Genshin” 👨‍👩‍👧')).toBe(false);
});
