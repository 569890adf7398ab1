import type { GoodsListQuery } from '@shop/server/wire';
import { get, getQuery } from '@shop/shared/http';
import { listQueryOptions } from '@shop/shared/query';

/** The server's limit (GoodsListQuerySchema), in code points. */
const longest = 60;

export function readKeyword(text: string | null | undefined): string {
  return [...(text ?? '').trim()].slice(0, longest).join('');
}

const pageSize = 20;

export const categoriesQuery = getQuery('/api/front/goods/category', ['catalog', 'categories']);
export const goodsCountsQuery = getQuery('/api/front/goods/counts', ['catalog', 'goods-counts']);
export const hotWordsQuery = getQuery('/api/front/search/hot', ['catalog', 'hot-words']);

export type GoodsFilter = Pick<GoodsListQuery, 'keyword' | 'letter' | 'category_id' | 'recharge_type' | 'sort'>;

export const goodsListQuery = (filter: GoodsFilter) =>
  listQueryOptions(['catalog', 'goods-list', filter], (page) =>
    get('/api/front/goods/list', { ...filter, page, limit: pageSize }, { quiet: true }),
  );

export const goodsDetailQuery = (goodsId: number) =>
  getQuery('/api/front/goods/info', ['catalog', 'goods-detail', goodsId], { id: goodsId });
