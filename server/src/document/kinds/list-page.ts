import { NOTHING_KNOWN, type PageDescription } from '@platform/pages';
import { goodsListTitle, RechargeType } from '@shop/shared/domain';
import type { Category } from '../../catalogue/catalogue.schemas';
import type { Sql } from '../../platform/db/sql';
import type { Locale } from '../../platform/http/schemas';
import type { PageKind } from '../page-describer';
import { texts } from './texts';

const LIST = 'list';
export const WHOLE_LIST = { kind: LIST };
export const ofCategory = (id: number) => `category_id=${id}`;

export const listKind = (sql: Sql): PageKind => ({
  async describe({ query, language }, read) {
    if (query.get('keyword')?.trim()) return UNLISTED;
    const categories = await read<Category[]>(['categories', language], async (answer) => ({
      data: (await answer('/api/front/goods/category', language)).data as Category[],
    }));
    const selection = selectionOf(query, categories, language);
    if (selection.names.length === 0) return NOTHING_KNOWN;
    return read(['list', language, selection.query], async () => ({ data: described(selection, language) }));
  },
  async pages() {
    const categories = await sql.rows<{ id: number; updated_at: Date }>(
      `select c.id, max(g.updated_at) as updated_at from categories c
         join goods g on g.category_id = c.id and g.status = 1 group by c.id, c.sort order by c.sort, c.id`,
    );
    return [{}, ...categories.map(({ id, updated_at }) => ({ query: ofCategory(id), modifiedAt: updated_at }))];
  },
});

/** Search engines must not index it: anyone can invent a search, and each address of an invitation belongs to one user. */
export const UNLISTED: PageDescription = { noindex: true, page: null };

function selectionOf(query: URLSearchParams, categories: readonly Category[], language: Locale) {
  const categoryId = query.get('category_id') ?? query.get('category');
  const category = categories.find(({ id }) => String(id) === categoryId);
  const kind = Object.values(RechargeType).find((type) => String(type) === query.get('recharge_type'));
  const letter = /^[a-z#]$/i.exec(query.get('letter') ?? '')?.[0]?.toUpperCase();
  const named = new URLSearchParams(category ? ofCategory(category.id) : '');
  if (kind) named.set('recharge_type', String(kind));
  if (letter) named.set('letter', letter);
  const names = [category?.name, kind && texts[language].kinds[kind], letter];
  return { query: named.toString(), names: names.filter((name) => name !== undefined) };
}

function described({ query, names }: ReturnType<typeof selectionOf>, language: Locale): PageDescription {
  const { allGames, list } = texts[language];
  const title = names.join(' ');
  const page = { kind: LIST, query };
  return {
    title: goodsListTitle(names, allGames),
    description: list(title),
    page,
    breadcrumbs: [
      { name: allGames, page: WHOLE_LIST },
      { name: title, page },
    ],
  };
}
