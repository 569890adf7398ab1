import type { Category, GoodsInfo, GoodsListQuery, GoodsPage, SearchHot, SearchSuggest } from '@shop/server/wire';
import { get } from '@shop/shared/http';
import { type PageKey, preload } from '@shop/shared/query';

/** Every key of this remote begins with this word, so that one call can forget all of it. */
const area = 'catalog';

export const categoriesKey: PageKey = [area, 'categories'];
export function fetchCategories(): Promise<Category[]> {
  return get('/api/front/goods/category');
}

export type GoodsQuery = Pick<GoodsListQuery, 'keyword' | 'letter' | 'category_id' | 'recharge_type' | 'sort'>;
const pageSize = 20;

export function goodsListKey(query: GoodsQuery): PageKey {
  return [area, 'goods', query];
}

export function fetchGoods(query: GoodsQuery, page: number): Promise<GoodsPage> {
  return get('/api/front/goods/list', { ...query, page, limit: pageSize });
}

/** The key under which the infinite list keeps its first page. */
export function preloadGoods(query: GoodsQuery): void {
  preload([area, 'goods', query, '$page', 1], () => fetchGoods(query, 1));
}

export function goodsInfoKey(id: number): PageKey {
  return [area, 'goods-info', id];
}

export function fetchGoodsInfo(id: number): Promise<GoodsInfo> {
  return get('/api/front/goods/info', { id }, { quiet: true });
}

export const hotWordsKey: PageKey = [area, 'hot'];
export function fetchHotWords(): Promise<SearchHot> {
  return get('/api/front/search/hot', undefined, { quiet: true });
}

export function suggestKey(keyword: string): PageKey {
  return [area, 'suggest', keyword];
}

export function fetchSuggestions(keyword: string): Promise<SearchSuggest> {
  return get('/api/front/search/suggest', { keyword }, { quiet: true });
}
