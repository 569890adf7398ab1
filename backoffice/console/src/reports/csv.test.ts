import { toCsv } from './csv';

it('the CSV export writes rows that a spreadsheet reads unchanged', () => {
  expect(
    toCsv([
      ['day', 'a, "b"'],
      ['2026-11-01', 'two\nlines'],
    ]),
  ).toBe('\uFEFFday,"a, ""b"""\r\n2026-11-01,"two\nlines"\r\n');
});

it.each(['=1+1', '+1+1', '-1+1', '@sum(a1)', '\t=1', '\r=1', '＝1', '=HYPERLINK("https://evil.example")'])(
  'the CSV export writes %j as text, never as a formula',
  (cell) => {
    expect(
      toCsv([[cell]])
        .slice(1)
        .replace(/^"/, ''),
    ).toMatch(/^'/);
  },
);

it('the CSV export leaves numbers unchanged, also below zero', () => {
  expect(toCsv([['-12.50', '3', '2026-11-01']])).toBe('\uFEFF-12.50,3,2026-11-01\r\n');
});
