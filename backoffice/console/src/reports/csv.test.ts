import { toCsv } from './csv';

it('writes rows that a spreadsheet reads as they are', () => {
  expect(
    toCsv([
      ['day', 'a, "b"'],
      ['2026-11-01', 'two\nlines'],
    ]),
  ).toBe('\uFEFFday,"a, ""b"""\r\n2026-11-01,"two\nlines"\r\n');
});

it.each(['=1+1', '+1+1', '-1+1', '@sum(a1)', '\t=1', '\r=1', '＝1', '=HYPERLINK("https://evil.example")'])(
  'takes %j for text, never for a formula',
  (cell) => {
    expect(
      toCsv([[cell]])
        .slice(1)
        .replace(/^"/, ''),
    ).toMatch(/^'/);
  },
);

it('leaves numbers as they are, also below zero', () => {
  expect(toCsv([['-12.50', '3', '2026-11-01']])).toBe('\uFEFF-12.50,3,2026-11-01\r\n');
});
