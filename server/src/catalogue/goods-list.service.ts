import { GoodsStatus, SpecType } from '@shop/shared/domain';
import { plainText } from '@shop/shared/domain/plain-text';
import type { Sql } from '../platform/db/sql';
import { suffixOf, type Texts, textOf } from '../platform/http/localised-text';
import { wireAmount } from '../platform/http/money';
import { pageOf, pagingOf } from '../platform/http/paging';
import type { View } from '../platform/http/request';
import type { Locale, Page } from '../platform/http/schemas';
import type { CacheableResponse } from '../platform/response-cache/response-cache';
import type { GoodsCount, GoodsListItem, GoodsListQuery, SearchSuggest } from './catalogue.schemas';
import { onShelf, stockMark } from './low-stock';
import { gramsOf, type NearMatch, nearMatch, normalise } from './search-text';

const sortings = {
  default: ['sort', 'goods_id'],
  hot: ['sales desc', 'sort', 'goods_id'],
  new: ['goods_id desc'],
  price_asc: ['min_price', 'goods_id'],
  price_desc: ['min_price desc', 'goods_id desc'],
  name: ['initial', 'sort', 'goods_id'],
};
type Sorting = keyof typeof sortings;
const isSorting = (text: string | undefined): text is Sorting => text !== undefined && Object.hasOwn(sortings, text);

/** Rows beyond this are never read: a crawler must not make the database count through the whole shelf. */
const DEEPEST_ROW = 10_000;

const soldOut = `(g.spec_type = ${SpecType.FaceValues} and not exists (
  select 1 from goods_specs s where s.goods_id = g.id and s.active and ${stockMark} > 0))`;

export const pricesDiffer = (
  currency: string,
) => `(case when g.spec_type = ${SpecType.Custom} then g.custom_max >= g.custom_min + g.custom_step
  else (select count(distinct p.price) > 1 from prices p join goods_specs s on s.id = p.spec_id
         where p.goods_id = g.id and p.currency = ${currency} and s.active) end)`;

export interface GoodsRow extends Omit<GoodsListItem, 'recharge_types' | 'min_price' | 'currency' | 'tags'> {
  recharge_type: number;
  tags: Texts[];
}

/** Columns of the goods `g` in a list. Its currency is SQL. */
export const listColumns = (locale: Locale, currency: string) =>
  `g.id, g.name_${suffixOf(locale)} as name, g.image, g.initial, g.category_id, g.recharge_type, g.tags, ${soldOut} as sold_out,
   ${pricesDiffer(currency)} as prices_differ`;

export const listItem = <Row extends GoodsRow>({ recharge_type, tags, ...row }: Row, { currency, locale }: View) => ({
  ...row,
  recharge_types: [recharge_type],
  currency,
  tags: tags.map((tag) => textOf(tag, locale)),
});

function filtersOf({ keyword, letter, category_id, recharge_type, sort }: GoodsListQuery) {
  return {
    keyword: normalise(keyword ?? ''),
    letter: letter?.toUpperCase() || null,
    categoryId: category_id ?? null,
    rechargeType: recharge_type ?? null,
    sort: isSorting(sort) ? sort : ('default' as const),
  };
}

export function listKey(query: GoodsListQuery): { keyword: string; key: unknown[] } {
  const { keyword: _, ...filters } = filtersOf(query);
  const { page, limit } = pagingOf(query);
  // With its blanks, because each word may have an error.
  const keyword = plainText(query.keyword ?? '').toLowerCase();
  return { keyword, key: [...Object.values(filters), page, limit] };
}

export const isEmptySearch = ({ keyword }: GoodsListQuery) => Boolean(keyword?.trim()) && !normalise(keyword ?? '');

export async function goodsList(
  sql: Sql,
  query: GoodsListQuery,
  view: View,
): Promise<CacheableResponse<Page<GoodsListItem>>> {
  const paging = pagingOf(query);
  if (isEmptySearch(query)) return { data: pageOf<GoodsListItem>([], 0, paging) };
  const { keyword, letter, categoryId, rechargeType, sort } = filtersOf(query);
  const values: unknown[] = [view.currency, view.viewer?.isVip ?? false];
  const value = (parameter: unknown) => `$${values.push(parameter)}`;
  const where = ['currency = $1', onShelf('$2', 'status')];
  if (letter) where.push(`initial = ${value(letter)}`);
  if (categoryId) where.push(`category_id = ${value(categoryId)}`);
  if (rechargeType) where.push(`recharge_type = ${value(rechargeType)}`);
  const offset = Math.min(paging.offset, DEEPEST_ROW);
  const rowsOf = (source: string) => `select * from ${source} where ${where.join(' and ')}`;
  const near = keyword ? nearMatch(query.keyword ?? '') : undefined;
  const total = keyword
    ? 'count(*) over ()'
    : `(select coalesce(sum(goods), 0) from shelf_counts where ${where.join(' and ')})`;
  const found = keyword ? rowsOf(`shelf join ${keywordMatch(keyword, value)} using (goods_id)`) : rowsOf('shelf');
  // Goods that only resemble the keyword are read if none matches it.
  const from = near
    ? `with exact as materialized (${found}) select * from exact
         union all ${rowsOf(`shelf join ${nearMatches(near, value)} using (goods_id)`)} and not exists (select from exact)`
    : found;
  const order = keyword ? ['rank', ...sortings[sort]] : sortings[sort];
  const limit = value(Math.min(paging.limit, DEEPEST_ROW - offset));
  const rows = await sql.rows<GoodsRow & { min_price: string; total: number }>(
    `select ${listColumns(view.locale, '$1')}, ${wireAmount('page.min_price')} as min_price, page.total::bigint as total
       from (select *, ${total} as total from (${from}) found
              order by ${order.join(', ')} limit ${limit} offset ${value(offset)}) page
       join goods g on g.id = page.goods_id
      order by ${order.map((column) => `page.${column}`).join(', ')}`,
    values,
  );
  const list = rows.map(({ total: _total, ...row }) => listItem(row, view));
  const data = pageOf(list, rows[0]?.total ?? 0, paging);
  const soldOutOf = new Map(list.map((item) => [item.id, item.sold_out]));
  return {
    data: { ...data, has_more: data.has_more && paging.page * paging.limit < DEEPEST_ROW },
    goodsIds: [...soldOutOf.keys()],
    isStillValid: (change) => soldOutOf.get(change.goods_id) === change.sold_out,
  };
}

export function goodsCounts(sql: Sql, view: View): Promise<GoodsCount[]> {
  return sql.rows<GoodsCount>(
    `select category_id, recharge_type, initial as letter, sum(goods)::bigint as goods from shelf_counts
      where currency = $1 and ${onShelf('$2', 'status')}
      group by category_id, recharge_type, initial having sum(goods) > 0 order by category_id, recharge_type, initial`,
    [view.currency, view.viewer?.isVip ?? false],
  );
}

const MAX_MATCHES = 200;
/** Goods whose texts are compared with a pattern; more share its grams only in a shop of very many similar names. */
const MAX_CANDIDATES = 3000;

/**
 * SQL of the goods that a keyword matches: (goods_id, rank). A whole word ranks first ("ys" is 原神 before the middle of
 * PlayStation), then the start of a word. The ranks exclude each other, so PostgreSQL reads them in turn and stops at the limit:
 * a common word costs no more in a larger shop.
 */
function keywordMatch(keyword: string, value: (parameter: unknown) => string): string {
  const characters = [...keyword];
  const pieces = gramsOf(characters);
  const word = value(keyword);
  const whole = `strpos(search_text, '|' || ${word} || '|') > 0`;
  const atStart = `strpos(search_text, '|' || ${word}) > 0`;
  const tier = (rank: number, grams: string[], holds: string) =>
    `(select id as goods_id, ${rank} as rank from goods where search_grams @> ${value(grams)}::text[]
         and status <> ${GoodsStatus.OffShelf} and ${holds} limit ${MAX_MATCHES})`;
  const tiers = [
    tier(0, [`=${keyword}`], whole),
    tier(1, [`^${characters.slice(0, 3).join('')}`, ...pieces], `${atStart} and not (${whole})`),
    tier(2, pieces, `strpos(search_text, ${word}) > 0 and not (${atStart})`),
  ];
  return `(${tiers.join(' union all ')} limit ${MAX_MATCHES}) matched`;
}

/** SQL of the goods that resemble a keyword: (goods_id, rank). */
function nearMatches({ pattern, grams }: NearMatch, value: (parameter: unknown) => string): string {
  const holdsWord = (sets: string[][]) =>
    `(${sets.map((set) => `search_grams @> ${value(set)}::text[]`).join(' or ')})`;
  return `(select id as goods_id, 3 as rank
     from (select id, search_text from goods where status <> ${GoodsStatus.OffShelf} and ${grams.map(holdsWord).join(' and ')}
            limit ${MAX_CANDIDATES}) candidates
    where search_text ~ ${value(pattern)} limit ${MAX_MATCHES}) matched`;
}

export const hotWords = (sql: Sql, locale: Locale): Promise<string[]> =>
  sql.column('select word from hot_words where locale = $1 order by sort', [locale]);

export async function suggest(sql: Sql, keyword: string, view: View): Promise<CacheableResponse<SearchSuggest>> {
  if (!normalise(keyword)) return { data: [] };
  const { data } = await goodsList(sql, { keyword, limit: 8 }, view);
  return { data: data.list.map(({ id, name, image }) => ({ id, name, image })) };
}
