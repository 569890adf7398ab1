import type { AppContext } from '../context';
import { SEARCH_FORMAT, searchText } from './search-text';

const BATCH = 200;

/** Replaces the search texts that another version of the server wrote. Returns how many. */
export async function rebuildSearchTexts({ db }: Pick<AppContext, 'db'>): Promise<number> {
  const rows = await db.rows<{ id: number; search_text: string; names: string[]; aliases: string[] }>(
    `select id, search_text, array[name_zh, name_en] as names, aliases from goods
      where not starts_with(search_text, '${SEARCH_FORMAT}') order by id limit ${BATCH}`,
  );
  if (rows.length === 0) return 0;
  // A change of the names in the meantime has written a new text.
  const rebuilt = await db.run(
    `update goods g set search_text = r.new from unnest($1::bigint[], $2::text[], $3::text[]) as r (id, old, new)
      where g.id = r.id and g.search_text = r.old`,
    [rows.map(({ id }) => id), rows.map(({ search_text }) => search_text), rows.map(searchText)],
  );
  return rebuilt + (rows.length === BATCH ? await rebuildSearchTexts({ db }) : 0);
}
