export class FileError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

export interface FileRecord<T = unknown> {
  line: number;
  value: T;
}

const lists = ['goods', 'categories'] as const;
interface FileRecords extends Record<(typeof lists)[number], FileRecord[]> {
  /** The text of a file of codes. */
  codes: string;
}
const nothing: FileRecords = { goods: [], categories: [], codes: '' };

/**
 * JSON: an array of products, or {"categories": [...], "goods": [...]}. CSV has codes only, with a header
 * (goods,spec,card_no,card_pwd,expire_at).
 */
export function readRecords(name: string, text: string): FileRecords {
  return /\.csv$/i.test(name) ? { ...nothing, codes: text } : readJson(text);
}

function readJson(text: string): FileRecords {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const at = /position (\d+)/.exec((error as Error).message);
    throw new FileError(at ? lineAt(text, Number(at[1])) : 1, `not valid JSON: ${(error as Error).message}`);
  }
  if (Array.isArray(value)) return { ...nothing, goods: withLines(value, elementLines(text, 1)) };
  if (typeof value !== 'object' || value === null) throw new FileError(1, 'expected an array of goods, or an object');
  const unknown = Object.keys(value).find((key) => !lists.some((list) => list === key));
  if (unknown) throw new FileError(1, `"${unknown}" is none of ${lists.join(', ')}`);
  const records = { ...nothing };
  for (const key of lists) {
    const values = (value as Record<string, unknown>)[key] ?? [];
    if (!Array.isArray(values)) throw new FileError(1, `"${key}" must be an array`);
    records[key] = withLines(values, elementLines(text, 2, key));
  }
  return records;
}

const withLines = (values: unknown[], lines: number[]) =>
  values.map((value, index) => ({ value, line: lines[index] ?? 1 }));
const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** Returns the lines on which the elements of the array at `depth` begin; with `key` those of the array under it. */
function elementLines(text: string, depth: number, key?: string): number[] {
  const lines: number[] = [];
  let level = 0;
  let line = 1;
  let name = '';
  let expecting = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[^ \t\r]/g)) {
    if (token === '\n') line++;
    else {
      if (expecting && level === depth && (key === undefined || name === key) && token !== ']') lines.push(line);
      expecting = (/^[[{]$/.test(token) && level + 1 === depth) || (token === ',' && level === depth);
      if (/^[[{]$/.test(token)) level++;
      else if (/^[\]}]$/.test(token)) level--;
      else if (token.startsWith('"') && level === 1) name = token.slice(1, -1);
    }
  }
  return lines;
}
