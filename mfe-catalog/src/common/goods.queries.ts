import type { GoodsListQuery } from '@shop/server/wire';
import { get } from '@shop/shared/http';
import { getQuery, listQueryOptions } from '@shop/shared/query';

/** The server's limit (GoodsListQuerySchema), in code points. */
const longest = 60;

export function readKeyword(text: string | null | undefined): string {
  return [...(text ?? '').trim()].slice(0, longest).join('');
}

const pageSize = 20;

export const categoriesQuery = getQuery(['catalog', 'categories'], '/api/front/goods/category');
export const goodsCountsQuery = getQuery(['catalog', 'goods-counts'], '/api/front/goods/counts');
export const hotWordsQuery = getQuery(['catalog', 'hot-words'], '/api/front/search/hot');

export type GoodsFilter = Pick<GoodsListQuery, 'keyword' | 'letter' | 'category_id' | 'recharge_type' | 'sort'>;

export const goodsListQuery = (filter: GoodsFilter) =>
  listQueryOptions(['catalog', 'goods-list', filter], (page) =>
    get('/api/front/goods/list', { ...filter, page, limit: pageSize }, { quiet: true }),
  );

export const goodsDetailQuery = (goodsId: number) =>
  getQuery(['catalog', 'goods-detail', goodsId], '/api/front/goods/info', { id: goodsId });
