import { type Static, Type } from 'typebox';
import { CurrencySchema, IdSchema, MoneySchema, Nullable, TimeSchema } from '../platform/http/schemas';

/** A coupon of the user in the preview of an order. */
export const PreviewCouponSchema = Type.Object({
  user_coupon_id: Type.Integer(),
  id: Type.Integer(),
  name: Type.String(),
  coupon_type: Type.Integer(),
  discount_amount: MoneySchema,
  end_time: TimeSchema,
});
export type PreviewCoupon = Static<typeof PreviewCouponSchema>;

/** A coupon that the user may receive for an order. */
export const PreviewOfferSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  discount_amount: MoneySchema,
  total_amount: MoneySchema,
});
export type PreviewOffer = Static<typeof PreviewOfferSchema>;

const CouponSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  /** 10 reduction, 20 discount. */
  coupon_type: Type.Integer(),
  reduce_price: MoneySchema,
  /** N of "N折": 8 or 8.5; the buyer pays N × 10 percent. 0 for a reduction. */
  discount: Type.Number(),
  /** "0.00" means no threshold. */
  min_price: MoneySchema,
  /** Currency of reduce_price and min_price: the Currency header's if the coupon has a row for it, otherwise the one it has. */
  currency: CurrencySchema,
  currencies: Type.Array(CurrencySchema),
  /** 10 expire_day days after receipt, 20 start_time to end_time. */
  expire_type: Type.Integer(),
  expire_day: Type.Integer(),
  start_time: Nullable(TimeSchema),
  end_time: Nullable(TimeSchema),
  /** 10 all goods, 20 the goods in items. */
  apply_range: Type.Integer(),
  items: Type.Array(Type.Object({ goods_id: Type.Integer(), goods_name: Type.String() })),
  /** 1 enabled, 2 disabled. */
  status: Type.Integer(),
});
export type Coupon = Static<typeof CouponSchema>;

const UserCouponSchema = Type.Object({
  ...CouponSchema.properties,
  user_coupon_id: Type.Integer(),
  start_time: TimeSchema,
  end_time: TimeSchema,
  /** 1 unused, 2 used, 3 expired. */
  use_status: Type.Integer(),
  order_no: Type.Optional(Type.String()),
});
export type UserCoupon = Static<typeof UserCouponSchema>;

export const CouponCheckSchema = Nullable(Type.Object({ id: Type.Integer(), name: Type.String() }));
export type CouponCheck = Static<typeof CouponCheckSchema>;
export const NullableCouponSchema = Nullable(CouponSchema);
export const UserCouponQuerySchema = Type.Object({
  status: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
});
export const UserCouponListSchema = Type.Array(UserCouponSchema);
export const userCouponsCall = { query: UserCouponQuerySchema, data: UserCouponListSchema };
export const receiveCall = { body: Type.Object({ coupon_id: IdSchema }), data: UserCouponListSchema };
export const ReceiveByCodeBodySchema = Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) });
export const receiveByCodeCall = { body: ReceiveByCodeBodySchema, data: UserCouponListSchema };
