import type { UpdateUserBody } from '@shop/server/wire';
import { getQuery, post, type RequestOptions } from '@shop/shared/http';

/** The payment of a recharge is kept in this tab until its result is known. */
export const rechargePaymentKey = 'account.recharge-payment';

export const updateUser = (body: UpdateUserBody, options: RequestOptions = { quiet: true }) =>
  post('/api/front/user/info', body, options);

export const couponsQueryPrefix = ['account', 'coupons'];

/** `status` is '1' unused, '2' used, '3' expired. */
export const couponsQuery = (status: string) =>
  getQuery('/api/front/coupon/getUserCouponList', [...couponsQueryPrefix, status], { status: Number(status) });
