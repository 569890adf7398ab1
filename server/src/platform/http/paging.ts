import type { Page } from './schemas';

export interface Paging {
  page: number;
  limit: number;
  /** 0 after a cursor. */
  offset: number;
  /** Names the last row that the client has read; null: the list is read by its pages. */
  cursor: string | null;
}

export function pagingOf(query: { page?: number; limit?: number; cursor?: string }): Paging {
  const { page = 1, limit = 20, cursor = null } = query;
  return { page, limit, offset: cursor === null ? (page - 1) * limit : 0, cursor };
}

export function pageOf<T>(list: T[], total: number, { page, limit }: Paging): Page<T> {
  return { list, total, page, limit, has_more: page * limit < total };
}

/**
 * A page with the cursor of the next one, by which rows that arrive, change or go meanwhile move no other row. `rows` has one row
 * more than the page, if there is one; `cursorOf` must name a place in the order of the list that never changes.
 */
export function cursorPageOf<Row, T>(
  rows: Row[],
  total: number,
  { page, limit }: Paging,
  itemOf: (row: Row) => T,
  cursorOf: (row: Row) => string,
): Page<T> {
  const read = rows.slice(0, limit);
  const last = rows.length > limit && read.at(-1);
  return { list: read.map(itemOf), total, page, limit, has_more: Boolean(last), ...(last && { next: cursorOf(last) }) };
}

/** SQL of the time that a parameter gives in microseconds; `extract(epoch from …)` gives them exactly. */
export const atMicros = (parameter: string) =>
  `(timestamptz 'epoch' + (${parameter}::bigint / 1000000) * interval '1 second' + (${parameter}::bigint % 1000000) * interval '1 microsecond')`;
