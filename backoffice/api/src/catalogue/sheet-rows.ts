import { isUtf8 } from 'node:buffer';
import { detectDelimiter, streamCsvRows } from 'hucre/csv';
import { streamXlsxRows } from 'hucre/xlsx';

/** 5,000 rows take 3 MB. hucre reads the texts of a workbook at once, so that more would hold the main thread. */
const MOST_UNZIPPED = 6 * 1024 * 1024;

export interface SheetRow {
  row: number;
  /** Undefined: a quotation mark has no partner. */
  cells: string[] | undefined;
}

/**
 * The texts of each row of a CSV or XLSX file. Dates, and numbers that have lost digits, are as a spreadsheet shows them: "#DATE", "1.2e+15".
 * Throws for a file that is damaged, encrypted or too large.
 */
export async function* sheetRows(file: Buffer): AsyncGenerator<SheetRow> {
  // The second signature is that of workbooks with a password and of old ones.
  if (!/^(PK|\xd0\xcf)/.test(file.toString('latin1', 0, 2))) {
    // The GBK of "CSV" in Chinese spreadsheets.
    const encoding = isUtf8(file) ? 'utf-8' : 'gb18030';
    return yield* textRows(new TextDecoder(encoding).decode(file));
  }
  if (unzippedBytes(file) > MOST_UNZIPPED) throw new RangeError('the workbook is too large');
  for await (const { index, values } of streamXlsxRows(file)) yield { row: index + 1, cells: values.map(cellText) };
}

const LONGEST_LINE = 5000;
const LINES_OF_SAMPLE = 10;

/** Each line is read alone, so that a quotation mark without a partner does not swallow the next rows. */
function* textRows(text: string): Generator<SheetRow> {
  const delimiter = detectDelimiter(text.slice(0, LINES_OF_SAMPLE * LONGEST_LINE));
  let row = 0;
  for (const [, line = ''] of text.matchAll(/([^\r\n]*)(?:\r\n?|\n|$)/g)) {
    if (line.length > LONGEST_LINE) throw new RangeError('the line is too long');
    const [cells = []] = streamCsvRows(line, { delimiter, unescapeFormulae: true });
    yield { row: ++row, cells: line.split('"').length % 2 === 0 ? undefined : cells.map(String) };
  }
}

/** A number has the 15 digits of spreadsheets, which have no remainder after 0.1 + 0.2. */
function cellText(value: unknown): string {
  if (value instanceof Date) return '#DATE';
  if (typeof value !== 'number') return String(value ?? '');
  const text = value.toPrecision(15);
  return text.includes('e') ? text : String(Number(text));
}

/** The sum of the sizes that a ZIP file names. hucre unpacks no entry beyond its size, but one without sizes up to 2 GB. */
function unzippedBytes(file: Buffer): number {
  let total = 0;
  for (let at = file.indexOf('PK\x01\x02'); at >= 0; at = file.indexOf('PK\x01\x02', at + 1)) {
    const [flags, packed, size] = [file.readUInt16LE(at + 8), file.readUInt32LE(at + 20), file.readUInt32LE(at + 24)];
    const isEmpty = packed + size === 0 && (flags & 8) === 0;
    if (!isEmpty) total += packed > 0 && size > 0 ? size : Number.POSITIVE_INFINITY;
  }
  return total;
}
