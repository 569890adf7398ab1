import { FileError, parseCsv } from '../../catalogue/csv';

/** A code as somebody has pasted it. */
export interface WrittenCode {
  line: number;
  goods: string;
  spec: string;
  card_no: string;
  card_pwd: string;
  expire_at: string | null;
}

/**
 * format: too many parts, or none; long: over 200 letters; expiry: no day; expired: over already; demo: of the demonstration, in a shop
 * that takes money; twice: as line `other`; known: the shop has it; goods: no such specification of card codes.
 */
export const codeFaultKinds = ['format', 'long', 'expiry', 'expired', 'demo', 'twice', 'known', 'goods'] as const;
export interface CodeFault {
  line: number;
  kind: (typeof codeFaultKinds)[number];
  other?: number;
}

const LONGEST = 200;

interface Row {
  line: number;
  /** By column; undefined for a line with too many parts. */
  cells: Record<string, string> | undefined;
}

const columns = ['card_no', 'card_pwd', 'expire_at'];
const name = (names: string[], cells: string[]): Record<string, string> | undefined =>
  cells.length > names.length ? undefined : Object.fromEntries(names.map((one, at) => [one, cells[at]?.trim() ?? '']));

/** CSV with a header that names card_no, or a number, a password and a day a line with spaces or commas between. */
function rowsOf(text: string): Row[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const header = (lines.find((line) => line.trim()) ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^"|"$/g, '').toLowerCase());
  if (header.includes('card_no')) {
    const [, ...rows] = parseCsv(text);
    return rows.map(({ line, cells }) => ({ line, cells: name(header, cells) }));
  }
  return lines.flatMap((line, index) => {
    const cells = line.includes('"') ? (parseCsv(line)[0]?.cells ?? []) : line.split(/[\s,，]+/).filter(Boolean);
    return cells.length > 0 ? [{ line: index + 1, cells: name(columns, cells) }] : [];
  });
}

/** Codes without a fault of their own, and the lines that have one. `goods` and `spec` count where the lines name none. */
export function readCodes(
  text: string,
  place: { goods: string; spec: string },
  now = Date.now(),
): { codes: WrittenCode[]; faults: CodeFault[] } {
  const faults: CodeFault[] = [];
  let rows: Row[] = [];
  try {
    rows = rowsOf(text);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    faults.push({ line: error.line, kind: 'format' });
  }
  const codes = rows.flatMap(({ line, cells }): WrittenCode[] => {
    const fault = (kind: CodeFault['kind']) => {
      faults.push({ line, kind });
      return [];
    };
    if (!cells?.card_no) return fault('format');
    const { card_no, card_pwd = '', expire_at = '', goods, spec } = cells;
    if (card_no.length > LONGEST || card_pwd.length > LONGEST) return fault('long');
    if (expire_at && !/^\d{4}-\d{2}-\d{2}/.test(expire_at)) return fault('expiry');
    const until = expire_at ? Date.parse(expire_at) : Number.POSITIVE_INFINITY;
    if (Number.isNaN(until)) return fault('expiry');
    if (until <= now) return fault('expired');
    const at = { goods: goods || place.goods, spec: spec || place.spec };
    return [{ line, ...at, card_no, card_pwd, expire_at: expire_at ? new Date(until).toISOString() : null }];
  });
  return { codes, faults };
}
