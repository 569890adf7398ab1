import type { Sql } from '../platform/db/sql';
import type { Locale } from '../platform/http/schemas';
import type { View } from '../platform/http/view';
import type { CacheableResponse } from '../platform/response-cache/response-cache';
import type { SearchSuggest } from './catalogue.schemas';
import { goodsList } from './goods-list.service';
import { normalise } from './search-text';

export async function hotWords(sql: Sql, locale: Locale): Promise<string[]> {
  const rows = await sql.rows<{ word: string }>('select word from hot_words where locale = $1 order by sort', [locale]);
  return rows.map((row) => row.word);
}

export async function suggest(sql: Sql, keyword: string, view: View): Promise<CacheableResponse<SearchSuggest>> {
  if (!normalise(keyword)) return { data: [] };
  const { data } = await goodsList(sql, { keyword, limit: 8 }, view);
  return { data: data.list.map(({ id, name, image }) => ({ id, name, image })) };
}
