import { normalise } from '@shop/server/catalogue/search-text';
import { insert, instant, type Sql } from '@shop/server/platform/db/sql';
import { wireAmount as amount } from '@shop/server/platform/http/money';
import type { Locale } from '@shop/server/platform/http/schemas';

export { amount, insert, instant };

/** Condition: the search finds the goods `g`. Its parameters are `searchOf`, the first two of the query. */
export const matches = "($1 = '' or strpos(g.search_text, $1) > 0 or strpos(lower(g.key), lower($2)) > 0)";
export const searchOf = (q: string) => [normalise(q), q.trim()];

/** A text in both languages: `textsOf('g.name')` is `{"zh-CN": …, "en": …}`. */
export const textsOf = (column: string) => `json_build_object('zh-CN', ${column}_zh, 'en', ${column}_en)`;

/** One of such texts, in Chinese if the language has none. */
export const textIn = (texts: string, locale: Locale) =>
  `coalesce(nullif(${texts} ->> '${locale}', ''), ${texts} ->> 'zh-CN')`;

/** Amounts by currency: `{"CNY": "12.30"}`. `from` names rows with a currency. */
export const amounts = (minor: string, from: string) =>
  `coalesce((select json_object_agg(currency, ${amount(minor)}) from ${from}), '{}')`;

/** Changes the rows that have this value in the column `key`. Returns their number. Names of columns come from the code. */
export const update = (sql: Sql, table: string, key: string, value: unknown, row: Record<string, unknown>) => {
  const changes = Object.keys(row).map((name, at) => `${name} = $${at + 2}`);
  return sql.run(`update ${table} set ${changes.join(', ')} where ${key} = $1`, [value, ...Object.values(row)]);
};
