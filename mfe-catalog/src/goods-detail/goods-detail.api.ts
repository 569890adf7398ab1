import type { FieldValues, OrderCreateBody, OrderPreviewBody, SaveGameAccountBody } from '@shop/server/wire';
import { del, get, post } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

const api = '/api/front';
const quiet = { quiet: true };

export const fetchPreview = (body: OrderPreviewBody, signal?: AbortSignal) =>
  post(`${api}/order/preview`, body, { quiet: true, signal });
export const createOrder = (body: OrderCreateBody, idempotencyKey: string) =>
  post(`${api}/order/create`, body, { idempotencyKey, quiet: true });
export const receiveCoupon = (coupon_id: number, idempotencyKey: string) =>
  post(`${api}/coupon/receive`, { coupon_id }, { idempotencyKey, quiet: true });
export const validateAccount = (goods_id: number, fields: FieldValues) =>
  post(`${api}/goods/validateAccount`, { goods_id, fields }, quiet);
export const saveAccount = (body: SaveGameAccountBody) => post(`${api}/user/gameAccount`, body, quiet);
export const deleteAccount = (id: number) => del(`${api}/user/gameAccount`, { id });

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
