/** A spreadsheet would run a cell with such a beginning as a formula; East Asian versions accept full-width forms. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const number = /^-?\d+(\.\d+)?$/;

const cellOf = (text: string) => {
  const cell = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
};

/** The byte order mark by which spreadsheets detect UTF-8; a file begins with it. */
export const CSV_MARK = '\uFEFF';

/** RFC 4180; every row has a line end. No cell is a formula. */
export const csvRows = (rows: string[][]): string => rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
