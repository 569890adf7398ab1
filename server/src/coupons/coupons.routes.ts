import { ErrorCode } from '@shop/shared/domain';
import type { DomainRoutes } from '../context';
import { ok } from '../platform/http/envelope';
import { withIdempotency } from '../platform/http/idempotency';
import { limitRate } from '../platform/http/rate-limit';
import { signedIn, signedInIdempotent, viewerOf } from '../platform/http/request';
import { answer } from '../platform/http/schemas';
import {
  CouponCheckSchema,
  NullableCouponSchema,
  ReceiveByCodeBodySchema,
  ReceiveCouponBodySchema,
  UserCouponListSchema,
  UserCouponQuerySchema,
} from './coupons.schemas';
import { checkCoupon, offeredCoupon, receiveByCode, receiveById, userCoupons } from './coupons.service';

const WRONG_CODES_PER_HOUR = 10;

export const couponsRoutes: DomainRoutes = async (app, { context: { db }, reads, personReads }) => {
  app.get(
    '/api/front/coupon/check',
    { ...signedIn, schema: { response: answer(CouponCheckSchema) } },
    async (request) => ok(request, await checkCoupon(reads, viewerOf(request).id, request)),
  );
  app.get(
    '/api/front/coupon/getCoupon',
    { ...signedIn, schema: { response: answer(NullableCouponSchema) } },
    async (request) => ok(request, await offeredCoupon(reads, viewerOf(request).id, request)),
  );
  personReads.serve(
    app,
    '/api/front/coupon/getUserCouponList',
    { query: UserCouponQuerySchema, data: UserCouponListSchema },
    ({ status }, view) => userCoupons(reads, view.viewer.id, status, view),
  );
  app.post(
    '/api/front/coupon/receive',
    { ...signedInIdempotent, schema: { body: ReceiveCouponBodySchema, response: answer(UserCouponListSchema) } },
    (request, reply) =>
      withIdempotency(db, request, reply, (sql) =>
        receiveById(sql, viewerOf(request).id, request.body.coupon_id, request),
      ),
  );
  app.post(
    '/api/front/coupon/receiveByCode',
    { ...signedInIdempotent, schema: { body: ReceiveByCodeBodySchema, response: answer(UserCouponListSchema) } },
    async (request, reply) => {
      const user = viewerOf(request).id;
      const key = `coupon-code:${user}`;
      // Counted before the lookup, so that concurrent guesses are bounded too; a known code is taken off again.
      await limitRate(db, key, WRONG_CODES_PER_HOUR, 3600);
      const sent = await withIdempotency(db, request, reply, (sql) =>
        receiveByCode(sql, user, request.body.code, request),
      );
      if (request.shopCode !== ErrorCode.CouponNotFound)
        await db.run('update rate_limits set hits = greatest(hits - 1, 0) where key = $1', [key]);
      return sent;
    },
  );
};
