import { detectDelimiter, streamCsvRows } from 'hucre/csv';
import { streamXlsxRows } from 'hucre/xlsx';

/** 5,000 rows take 3 MB. hucre reads the texts of a workbook at once, so that more would hold the main thread. */
const MOST_UNZIPPED = 6 * 1024 * 1024;

/** The file is no CSV or XLSX that can be read, or it is too large. */
export class SheetError extends Error {
  constructor(readonly kind: 'file' | 'size') {
    super(kind);
  }
}

export interface SheetRow {
  row: number;
  cells: string[];
  /** A quotation mark has no partner. */
  isOpen?: boolean;
}

/** The texts of each row. Dates, and numbers that have lost digits, are as a spreadsheet shows them: "#DATE", "1.2e+15". */
export async function* sheetRows(file: Buffer): AsyncGenerator<SheetRow> {
  if (file.subarray(0, 2).toString() !== 'PK') return yield* textRows(textOf(file));
  try {
    if (unzippedBytes(file) > MOST_UNZIPPED) throw new SheetError('size');
    for await (const { index, values } of streamXlsxRows(file)) yield { row: index + 1, cells: values.map(cellText) };
  } catch (error) {
    throw error instanceof SheetError ? error : new SheetError('file');
  }
}

const LONGEST_LINE = 5000;
const LINES_OF_SAMPLE = 10;

/** Each line is read alone, so that a quotation mark without a partner does not swallow the next rows. */
function* textRows(text: string): Generator<SheetRow> {
  const delimiter = detectDelimiter(text.slice(0, LINES_OF_SAMPLE * LONGEST_LINE));
  let row = 0;
  for (const [, line = ''] of text.matchAll(/([^\r\n]*)(?:\r\n?|\n|$)/g)) {
    if (line.length > LONGEST_LINE) throw new SheetError('size');
    const [cells = []] = streamCsvRows(line, { delimiter, unescapeFormulae: true });
    yield { row: ++row, cells: cells.map(String), isOpen: line.split('"').length % 2 === 0 };
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

/**
 * The sum of the sizes that a ZIP file names for its entries. hucre unpacks no entry beyond its size, but one without a size up to 2 GB. Throws
 * RangeError for a damaged file.
 */
function unzippedBytes(file: Buffer): number {
  const end = file.lastIndexOf('PK\x05\x06', file.length - 22, 'latin1');
  // ZIP64 has the directory elsewhere.
  if (file.readUInt32LE(end + 12) === 0xffffffff) return Number.POSITIVE_INFINITY;
  let at = file.readUInt32LE(end + 16);
  let total = 0;
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [flags, packed, size] = [file.readUInt16LE(at + 8), file.readUInt32LE(at + 20), file.readUInt32LE(at + 24)];
    const hasNoSize = size === 0 && (packed > 0 || (flags & 8) !== 0);
    total += hasNoSize ? Number.POSITIVE_INFINITY : size;
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return total;
}

/** UTF-8, the UTF-16 of "Unicode text", or the GBK of "CSV" in Chinese spreadsheets. */
function textOf(file: Buffer): string {
  const isWide = file.subarray(0, 2).toString('hex') === 'fffe';
  for (const encoding of isWide ? ['utf-16le'] : ['utf-8', 'gb18030']) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(file);
      if (!text.includes('\0')) return text;
    } catch {
      // The next encoding may fit.
    }
  }
  throw new SheetError('file');
}
