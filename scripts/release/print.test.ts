import { hasControlCharacters, terminalText } from '@platform/releases';
import type { ReleaseReport } from '@platform/watch';
import { printHealth } from './print';

it('health prints failures with positions, segments, the funnel, the vitals, and what a canary waits for', () => {
  const report: ReleaseReport = {
    name: 'catalog',
    version: '2.0.0',
    role: 'canary',
    traffic: 10,
    health: {
      visits: 200,
      failures: 3,
      share: 0.015,
      segments: [{ group: 'en', visits: 20, failures: 3 }],
      refused: 2,
      vitals: { LCP: 1_234.5, CLS: 0.031 },
      funnel: [{ path: 'price>order', visits: 80, reached: 4 }],
      errors: [{ kind: 'error', at: 'home.js:1:4', visits: 3, source: './src/home\u001b.tsx:3:3' }],
    },
    watched: { kind: 'canary', verdict: 'well', why: null, next: null, undecided: 'about 5 more minutes' },
  };
  const lines: string[] = [];
  const health = { visits: 0, failures: 0, share: 0, segments: [], refused: 0, vitals: {}, funnel: [], errors: [] };
  const previous = { ...report, version: '1.0.0', role: 'previous', health, watched: null } as const;
  printHealth([report, previous], (line) => lines.push(line));
  expect(lines).toEqual([
    'catalog@2.0.0  canary 10 %: 1.5 % of 200 visits failed',
    '  error in 3 visits: ./src/home\\u001b.tsx:3:3 (home.js:1:4)',
    '  en: 15.0 % of 20 visits failed',
    '  price → order: 5.0 % of 80 visits',
    '  p75 of LCP: 1235 ms',
    '  p75 of CLS: 0.03',
    '  the Content-Security-Policy refused requests in 2 visits',
    '  waits for: about 5 more minutes',
    'catalog@1.0.0  previous: 0.0 % of 0 visits failed',
  ]);
});

it('hasControlCharacters finds control characters, NUL, lone surrogates and bidi overrides, and permits line ends and tabs on request', () => {
  for (const bad of ['\0', '\x1b[31m', '\x7f', '\x85', '\u202e', '\u2066', '\ud800']) {
    expect(hasControlCharacters(`a${bad}b`)).toBe(true);
    expect(hasControlCharacters(`a${bad}b`, { lines: true })).toBe(true);
  }
  expect(hasControlCharacters('a\nb')).toBe(true);
  expect(hasControlCharacters('a\r\n\tb', { lines: true })).toBe(false);
  expect(hasControlCharacters('原神 ¥5 – “Genshin” 👨‍👩‍👧')).toBe(false);
});

it('terminalText escapes control characters, keeps JSON valid, and leaves ordinary text', () => {
  expect(terminalText('a\u001b[2Jb\n\u009bc\u202ed')).toBe(String.raw`a\u001b[2Jb\u000a\u009bc\u202ed`);
  expect(terminalText('a\tb\r\n\u0007', { lines: true })).toBe('a\tb\r\n\\u0007');
  expect(JSON.parse(terminalText(JSON.stringify({ why: '\u0085\u007f' }, null, 2), { lines: true }))).toEqual({
    why: '\u0085\u007f',
  });
  expect(terminalText('原神 ¥5 – “Genshin” 👨‍👩‍👧')).toBe('原神 ¥5 – “Genshin” 👨‍👩‍👧');
});
