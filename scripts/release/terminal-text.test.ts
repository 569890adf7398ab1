import { hasControlCharacters, terminalText } from '@platform/releases';
import { hasControlCharacters as inServer } from '@shop/server/platform/http/plain-text';

it('the release package and the server refuse the same characters', () => {
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code);
    expect(hasControlCharacters(character) ? code : -1).toBe(inServer(character) ? code : -1);
  }
});

it('escapes what a terminal obeys, so that JSON stays JSON, and leaves what people write', () => {
  expect(terminalText('a\u001b[2Jb\n\u009bc\u202ed')).toBe(String.raw`a\u001b[2Jb\u000a\u009bc\u202ed`);
  expect(terminalText('a\tb\r\n\u0007', { lines: true })).toBe('a\tb\r\n\\u0007');
  expect(JSON.parse(terminalText(JSON.stringify({ why: '\u0085\u007f' }, null, 2), { lines: true }))).toEqual({
    why: '\u0085\u007f',
  });
  expect(terminalText('原神 ¥5 – “Genshin” 👨‍👩‍👧')).toBe('原神 ¥5 – “Genshin” 👨‍👩‍👧');
});
