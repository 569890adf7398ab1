/** A fault in a file, with its line. */
export class FileError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

interface CsvRow {
  line: number;
  cells: string[];
}

/** RFC 4180: quotes, doubled quotes, line ends inside quotes. */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let line = 1;
  let row: CsvRow = { line, cells: [] };
  let cell = '';
  let quoted = false;
  const body = text.replace(/^\uFEFF/, '');
  for (let at = 0; at < body.length; at++) {
    const letter = body[at] as string;
    if (letter === '\n') line++;
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (body[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (letter === '"' && cell === '') quoted = true;
    else if (letter === ',') {
      row.cells.push(cell);
      cell = '';
    } else if (letter === '\n') {
      row.cells.push(cell.replace(/\r$/, ''));
      rows.push(row);
      row = { line, cells: [] };
      cell = '';
    } else cell += letter;
  }
  if (quoted) throw new FileError(row.line, 'a quote is not closed');
  if (cell || row.cells.length) rows.push({ ...row, cells: [...row.cells, cell.replace(/\r$/, '')] });
  return rows.filter((one) => one.cells.some((text) => text.trim()));
}
