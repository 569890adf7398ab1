import { hasControlCharacters } from '../platform/http/plain-text';
import { yieldingTurns } from '../platform/http/yielding-turns';
import { csvRows, FileError, parseCsv } from './csv';

export interface WrittenCode {
  line: number;
  goods: string;
  spec: string;
  card_no: string;
  card_pwd: string;
  expire_at: string | null;
}

/**
 * format: too many parts, or none; long: over 200 characters, or a line that is far too long; characters: control or invisible
 * characters, or replacement characters of an encoding other than UTF-8; expiry: no date; expired: date in the past; demo: a demo
 * code in a shop that takes money; twice: same as line `other`; known: the shop has it already; goods: no such specification of
 * card codes; shared: the specification sells one shared code.
 */
export const codeFaultKinds = [
  'format',
  'long',
  'characters',
  'expiry',
  'expired',
  'demo',
  'twice',
  'known',
  'goods',
  'shared',
] as const;
export interface CodeFault {
  line: number;
  kind: (typeof codeFaultKinds)[number];
  other?: number;
}

const MAX_LENGTH = 200;
/** Maximum length of a line with code, password, date, product and value; a longer line is reported and not parsed. */
const MAX_LINE_LENGTH = 1000;
/** Maximum lines of a file. Half of them may be empty or wrong, and quoted codes may span several. */
const MAX_LINES = 10_000;
/** The replacement character of decoding for bytes that are not UTF-8, and characters without a width. */
const lost = /[\ufffd\p{Cf}]/u;

export const isNoText = (cell = '') => hasControlCharacters(cell) || lost.test(cell);

interface Row {
  line: number;
  cells: Record<string, string> | undefined;
}

const columns = ['card_no', 'card_pwd', 'expire_at'];
const name = (names: string[], cells: string[]): Record<string, string> | undefined =>
  cells.length > names.length
    ? undefined
    : Object.fromEntries(names.map((column, at) => [column, cells[at]?.trim() ?? '']));

export function hasTooManyLines(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && count < MAX_LINES; at = text.indexOf('\n', at + 1)) count++;
  return count >= MAX_LINES;
}

/** Reads CSV with a header that contains card_no; otherwise number, password and date per line, separated by spaces or commas. */
function* rowsOf(text: string): Generator<Row> {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const long = lines.findIndex((line) => line.length > MAX_LINE_LENGTH);
  if (long >= 0) throw new FileError(long + 1, 'long');
  const header = (lines.find((line) => line.trim()) ?? '')
    .split(',')
    .map((column) => column.trim().replace(/^"|"$/g, '').toLowerCase());
  if (header.includes('card_no')) {
    const rows = csvRows(text);
    rows.next();
    for (const { line, cells } of rows) yield { line, cells: name(header, cells) };
    return;
  }
  for (const [index, line] of lines.entries()) {
    const cells = line.includes('"') ? (parseCsv(line)[0]?.cells ?? []) : line.split(/[\s,，]+/).filter(Boolean);
    if (cells.length > 0) yield { line: index + 1, cells: name(columns, cells) };
  }
}

export async function readCodes(
  text: string,
  place: { goods: string; spec: string },
  now = Date.now(),
): Promise<{ codes: WrittenCode[]; faults: CodeFault[] }> {
  const faults: CodeFault[] = [];
  const codes: WrittenCode[] = [];
  const giveWay = yieldingTurns();
  try {
    for (const row of rowsOf(text)) {
      codes.push(...codeOf(row));
      await giveWay();
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    faults.push({ line: error.line, kind: error.message === 'long' ? 'long' : 'format' });
  }
  return { codes, faults };

  function codeOf({ line, cells }: Row): WrittenCode[] {
    const fault = (kind: CodeFault['kind']) => {
      faults.push({ line, kind });
      return [];
    };
    if (cells && Object.values(cells).some(isNoText)) return fault('characters');
    if (!cells?.card_no) return fault('format');
    const { card_no, card_pwd = '', expire_at = '', goods, spec } = cells;
    if (card_no.length > MAX_LENGTH || card_pwd.length > MAX_LENGTH) return fault('long');
    if (expire_at && !/^\d{4}-\d{2}-\d{2}/.test(expire_at)) return fault('expiry');
    const until = expire_at ? Date.parse(expire_at) : Number.POSITIVE_INFINITY;
    if (Number.isNaN(until)) return fault('expiry');
    if (until <= now) return fault('expired');
    const at = { goods: goods || place.goods, spec: spec || place.spec };
    return [{ line, ...at, card_no, card_pwd, expire_at: expire_at ? new Date(until).toISOString() : null }];
  }
}
