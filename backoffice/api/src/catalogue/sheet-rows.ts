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
  if (!/^(PK|\xd0\xcf)/.test(file.toString('latin1', 0, 2))) return yield* textRows(textOf(file));
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

/** Spreadsheets compute with 15 digits. */
const EXACT_BELOW = 1e15;

function cellText(value: unknown): string {
  if (value instanceof Date) return '#DATE';
  if (typeof value !== 'number') return String(value ?? '');
  if (Math.abs(value) >= EXACT_BELOW) return value.toExponential();
  // A formula such as 0.1 + 0.2 leaves a remainder that no spreadsheet shows.
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(12)));
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

/** UTF-8, the UTF-16 of "Unicode text", or the GBK of "CSV" in Chinese spreadsheets. */
function textOf(file: Buffer): string {
  if (file.subarray(0, 2).toString('hex') === 'fffe') return new TextDecoder('utf-16le').decode(file);
  return new TextDecoder(isUtf8(file) ? 'utf-8' : 'gb18030').decode(file);
}
