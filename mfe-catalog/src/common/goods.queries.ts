import type { GoodsListQuery } from '@shop/server/wire';
import { get } from '@shop/shared/http';
import { listQueryOptions, queryOptions } from '@shop/shared/query';

/** The server's limit (GoodsListQuerySchema), in code points. */
const longest = 60;

export function readKeyword(text: string | null | undefined): string {
  return [...(text ?? '').trim()].slice(0, longest).join('');
}

const pageSize = 20;
/** The page shows a failure itself, and a hover over a link may prefetch any of these. */
const quiet = { quiet: true };

export const categoriesQuery = queryOptions({
  queryKey: ['catalog', 'categories'],
  queryFn: () => get('/api/front/goods/category', undefined, quiet),
});

export const goodsCountsQuery = queryOptions({
  queryKey: ['catalog', 'goods-counts'],
  queryFn: () => get('/api/front/goods/counts', undefined, quiet),
});

export type GoodsFilter = Pick<GoodsListQuery, 'keyword' | 'letter' | 'category_id' | 'recharge_type' | 'sort'>;

export const goodsListQuery = (filter: GoodsFilter) =>
  listQueryOptions(['catalog', 'goods-list', filter], (page) =>
    get('/api/front/goods/list', { ...filter, page, limit: pageSize }, quiet),
  );

export const goodsDetailQuery = (goodsId: number) =>
  queryOptions({
    queryKey: ['catalog', 'goods-detail', goodsId],
    queryFn: () => get('/api/front/goods/info', { id: goodsId }, quiet),
  });

export const hotWordsQuery = queryOptions({
  queryKey: ['catalog', 'hot-words'],
  queryFn: () => get('/api/front/search/hot', undefined, quiet),
});
