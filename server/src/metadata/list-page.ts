import type { PageMetadata } from '@platform/pages';
import { goodsListTitle, RechargeType } from '@shop/shared/domain';
import type { Category } from '../catalogue/catalogue.schemas';
import type { Locale } from '../platform/http/schemas';
import { texts } from './texts';

/**
 * The document of the list of goods. What selects goods names the list, in fixed order; the sort order does not, and a search is
 * not listed by search engines, because anybody can invent one.
 */
export function describeList(
  query: URLSearchParams,
  categories: readonly Pick<Category, 'id' | 'name'>[],
  language: Locale,
): Partial<PageMetadata> {
  if (query.get('keyword')?.trim()) return { noindex: true, path: null };
  const { allGames, kinds, list } = texts[language];
  const wanted = query.get('category_id') ?? query.get('category');
  const category = categories.find(({ id }) => String(id) === wanted);
  const kind = Object.values(RechargeType).find((type) => String(type) === query.get('recharge_type'));
  const letter = /^[a-z#]$/i.exec(query.get('letter') ?? '')?.[0]?.toUpperCase();
  const named = new URLSearchParams();
  if (category) named.set('category_id', String(category.id));
  if (kind) named.set('recharge_type', String(kind));
  if (letter) named.set('letter', letter);
  const names = [category?.name, kind && kinds[kind], letter].filter((name) => name !== undefined);
  if (names.length === 0) return {};
  const path = `/goods?${named}`;
  const title = names.join(' ');
  return {
    title: goodsListTitle(names, allGames),
    description: list(title),
    path,
    breadcrumbs: [
      { name: allGames, path: '/goods' },
      { name: title, path },
    ],
  };
}
