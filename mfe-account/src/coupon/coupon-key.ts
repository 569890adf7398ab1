import type { PageKey } from '@shop/shared/query';

/** The shopper's coupons by their use status: '1' unused, '2' used, '3' expired. */
export const couponKey = (status: string): PageKey => ['account', 'coupons', status];
