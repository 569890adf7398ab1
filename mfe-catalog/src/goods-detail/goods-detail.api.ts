import type {
  DeletedAnswer,
  FieldValues,
  GameAccount,
  OrderCreateBody,
  OrderCreated,
  OrderPreview,
  OrderPreviewBody,
  SaveGameAccountBody,
  UserCoupon,
  ValidateAccountAnswer,
} from '@shop/server/wire';
import { del, post } from '@shop/shared/http';

export function fetchPreview(body: OrderPreviewBody, signal?: AbortSignal): Promise<OrderPreview> {
  return post('/api/front/order/preview', body, { quiet: true, signal });
}

export function createOrder(body: OrderCreateBody, idempotencyKey: string): Promise<OrderCreated> {
  return post('/api/front/order/create', body, { idempotencyKey, quiet: true });
}

export function receiveCoupon(couponId: number, idempotencyKey: string): Promise<UserCoupon[]> {
  return post('/api/front/coupon/receive', { coupon_id: couponId }, { idempotencyKey, quiet: true });
}

export function validateAccount(goodsId: number, fields: FieldValues): Promise<ValidateAccountAnswer> {
  return post('/api/front/goods/validateAccount', { goods_id: goodsId, fields }, { quiet: true });
}

export function saveAccount(body: SaveGameAccountBody): Promise<GameAccount> {
  return post('/api/front/user/gameAccount', body, { quiet: true });
}

export function deleteAccount(id: number): Promise<DeletedAnswer> {
  return del('/api/front/user/gameAccount', { id });
}
