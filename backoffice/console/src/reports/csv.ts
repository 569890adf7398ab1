/** A spreadsheet would run a cell with such a beginning as a formula; East Asian versions accept full-width forms. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const number = /^-?\d+(\.\d+)?$/;

const cellOf = (text: string) => {
  const cell = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
};

/** RFC 4180, with the byte order mark by which spreadsheets detect UTF-8. No cell is a formula. */
export const toCsv = (rows: string[][]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;

export function saveFile(name: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
