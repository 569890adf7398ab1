import type { Coupon, CouponCheck, UserCoupon } from '@shop/server/wire';
import { get, post } from '@shop/shared/http';

/** The coupon that waits for this user, or null. */
export const checkCoupon = (): Promise<CouponCheck> => get('/api/front/coupon/check', undefined, { quiet: true });
export const getCoupon = (): Promise<Coupon | null> => get('/api/front/coupon/getCoupon', undefined, { quiet: true });
export const receiveCoupon = (couponId: number, idempotencyKey: string): Promise<UserCoupon[]> =>
  post('/api/front/coupon/receive', { coupon_id: couponId }, { idempotencyKey, quiet: true });
