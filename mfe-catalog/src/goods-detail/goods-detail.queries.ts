import type { OrderPreviewBody } from '@shop/server/wire';
import { get } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';
import { fetchPreview } from './goods-detail.api';

export const previewQueryPrefix = ['catalog', 'preview'];

export const previewQuery = (body: OrderPreviewBody | null) =>
  queryOptions({
    queryKey: [...previewQueryPrefix, body],
    queryFn: ({ signal }) => fetchPreview(body as OrderPreviewBody, signal),
    enabled: body !== null,
    gcTime: 5 * 60_000,
  });

export const savedAccountsQuery = (goodsId: number) =>
  queryOptions({
    queryKey: ['catalog', 'saved-accounts', goodsId],
    queryFn: () => get('/api/front/user/gameAccount', { goods_id: goodsId }, { quiet: true }),
  });
