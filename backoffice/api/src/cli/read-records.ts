import { StaffError } from '@shop/server/cli/common';

export interface FileRecord<T = unknown> {
  /** Its list and its number there: "goods 3". */
  name: string;
  value: T;
}

const lists = ['goods', 'categories'] as const;
type List = (typeof lists)[number];
interface FileRecords extends Record<List, FileRecord[]> {
  /** The text of a file of codes. */
  codes: string;
}

/**
 * JSON: an array of products, or {"categories": [...], "goods": [...]}. CSV has codes only, with a header
 * (goods,spec,card_no,card_pwd,expire_at). Throws StaffError for other files.
 */
export function readRecords(file: string, text: string): FileRecords {
  if (/\.csv$/i.test(file)) return { goods: [], categories: [], codes: text };
  const read = readJson(file, text);
  const values: Partial<Record<List, unknown[]>> = Array.isArray(read) ? { goods: read } : read;
  for (const [name, list] of Object.entries(values))
    if (!lists.some((known) => known === name) || !Array.isArray(list))
      throw new StaffError(`${file}: "${name}" is not one of the lists ${lists.join(', ')}`);
  const recordsOf = (list: List) =>
    (values[list] ?? []).map((value, index) => ({ name: `${list} ${index + 1}`, value }));
  return { goods: recordsOf('goods'), categories: recordsOf('categories'), codes: '' };
}

function readJson(file: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new StaffError(`${file}: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null) throw new StaffError(`${file}: it has no list of goods`);
  return value;
}
