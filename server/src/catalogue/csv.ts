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

/**
 * RFC 4180: quotes, doubled quotes, line ends inside quotes. It yields row by row, so that the reader of a long file can pause.
 * Throws FileError.
 */
export function* csvRows(text: string): Generator<CsvRow> {
  const body = text.replace(/^\uFEFF/, '');
  const end = /[,\n]|$/g;
  let at = 0;
  for (let line = 1; at < body.length; ) {
    const row: CsvRow = { line, cells: [] };
    for (let more = true; more; ) {
      let cell = '';
      if (body[at] === '"') {
        let close = body.indexOf('"', at + 1);
        while (close >= 0 && body[close + 1] === '"') close = body.indexOf('"', close + 2);
        if (close < 0) throw new FileError(row.line, 'a quote is not closed');
        cell = body.slice(at + 1, close).replaceAll('""', '"');
        line += cell.split('\n').length - 1;
        at = close + 1;
      }
      end.lastIndex = at;
      const until = end.exec(body)?.index ?? body.length;
      cell += body.slice(at, until);
      more = body[until] === ',';
      row.cells.push(more ? cell : cell.replace(/\r$/, ''));
      at = until + 1;
    }
    line++;
    if (row.cells.some((cell) => cell.trim())) yield row;
  }
}

export const parseCsv = (text: string): CsvRow[] => [...csvRows(text)];
