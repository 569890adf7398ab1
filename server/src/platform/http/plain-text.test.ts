import { decodeUtf8, hasControlCharacters } from './plain-text';

const bytes = (...parts: Array<string | number[]>) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

it('hasControlCharacters finds control characters, NUL, lone surrogates and bidi overrides, and permits line ends and tabs on request', () => {
  for (const bad of ['\0', '\x1b[31m', '\x7f', '\x85', '\u202e', '\u2066', '\ud800']) {
    expect(hasControlCharacters(`a${bad}b`)).toBe(true);
    expect(hasControlCharacters(`a${bad}b`, { lines: true })).toBe(true);
  }
  expect(hasControlCharacters('a\nb')).toBe(true);
  expect(hasControlCharacters('a\r\n\tb', { lines: true })).toBe(false);
  expect(hasControlCharacters('原神 ¥5 – “Genshin” 👨‍👩‍👧')).toBe(false);
});

it('decodeUtf8 reads UTF-8 and drops its byte order mark', () => {
  expect(decodeUtf8(bytes([0xef, 0xbb, 0xbf], '码,pw\n'))).toBe('码,pw\n');
  expect(decodeUtf8(bytes(''))).toBe('');
});

it.each([
  ['UTF-16 with a mark', bytes([0xff, 0xfe], [...Buffer.from('码', 'utf16le')]), { encoding: 'utf-16', line: 1 }],
  ['big-endian UTF-16 with a mark', bytes([0xfe, 0xff, 0x78, 0x01]), { encoding: 'utf-16', line: 1 }],
  ['UTF-16 without a mark', Buffer.from('A-1,pw\n', 'utf16le'), { encoding: 'utf-16', line: 1 }],
  ['bytes of another encoding', bytes('a\nb\n', [0xc4, 0xe3], '\nc'), { encoding: 'unknown', line: 3 }],
  ['a letter that is cut off', bytes('a\n', [0xe7, 0xa0]), { encoding: 'unknown', line: 2 }],
])('decodeUtf8 refuses %s and names the line', (_name, input, fault) => {
  expect(() => decodeUtf8(input)).toThrow(expect.objectContaining(fault));
});
