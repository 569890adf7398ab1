import { ErrorCode } from '@shop/shared/domain';
import type { DomainRoutes } from '../context';
import { callsOf } from '../platform/http/calls';
import { withIdempotency } from '../platform/http/idempotency';
import { limitRate } from '../platform/http/rate-limit';
import {
  CouponCheckSchema,
  NullableCouponSchema,
  receiveByCodeCall,
  receiveCall,
  userCouponsCall,
} from './coupons.schemas';
import { offeredCoupon, receiveCoupon, userCoupons } from './coupons.service';

const WRONG_CODES_PER_HOUR = 10;

export const couponsRoutes: DomainRoutes = async (app, { context: { db, config }, reads, userReads }) => {
  const { user } = callsOf(app);
  user.get('/api/front/coupon/check', { data: CouponCheckSchema }, async ({ viewer, request }) =>
    offeredCoupon(reads, viewer.id, request),
  );
  user.get('/api/front/coupon/getCoupon', { data: NullableCouponSchema }, async ({ viewer, request }) =>
    offeredCoupon(reads, viewer.id, request),
  );
  userReads.serve(app, '/api/front/coupon/getUserCouponList', userCouponsCall, ({ status }, view) =>
    userCoupons(reads, view.viewer.id, status, view),
  );
  user.postOnce('/api/front/coupon/receive', receiveCall, ({ viewer, body, request, reply }) =>
    withIdempotency(db, request, reply, (sql) =>
      receiveCoupon(sql, viewer.id, { id: body.coupon_id }, config.timeZone, request),
    ),
  );
  user.postOnce('/api/front/coupon/receiveByCode', receiveByCodeCall, async ({ viewer, body, request, reply }) => {
    const key = `coupon-code:${viewer.id}`;
    // The try is counted before the lookup, so that concurrent guesses are bounded too; a valid code is subtracted again.
    await limitRate(db, key, WRONG_CODES_PER_HOUR, 3600);
    const sent = await withIdempotency(db, request, reply, (sql) =>
      receiveCoupon(sql, viewer.id, { code: body.code }, config.timeZone, request),
    );
    if (request.shopCode !== ErrorCode.CouponNotFound)
      await db.run('update rate_limits set hits = greatest(hits - 1, 0) where key = $1', [key]);
    return sent;
  });
};
