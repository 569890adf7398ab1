import { exact, InstantSchema, inBoth, oneOf, text } from '@shop/server/platform/http/edit-schemas';
import { Nullable } from '@shop/server/platform/http/schemas';
import { CouponExpireType, CouponType } from '@shop/shared/domain';
import { type Static, Type } from 'typebox';
import { EditKeySchema } from '../edits/edits.service';

const AmountSchema = Type.String({ pattern: '^(\\d{1,7}(\\.\\d{1,2})?)?$' });
const AmountsSchema = Nullable(exact({ reduce_price: AmountSchema, min_price: AmountSchema }));

/** A coupon as staff edit it, without its counters. A shopper claims each coupon once. */
export const StaffCouponSchema = exact({
  name: inBoth(60, 1),
  coupon_type: oneOf(Object.values(CouponType)),
  /** The share of the price that the buyer pays, in percent: 85 is 8.5折. It is 0 for a reduction. */
  percent: Type.Integer({ minimum: 0, maximum: 99 }),
  /** null: not for orders in this currency. */
  amounts: exact({ CNY: AmountsSchema, USD: AmountsSchema }),
  /** The coupon is valid for `expire_day` days after the claim, or from `start_time` to `end_time`. */
  expire_type: oneOf(Object.values(CouponExpireType)),
  expire_day: Type.Integer({ minimum: 0, maximum: 3650 }),
  start_time: Nullable(InstantSchema),
  end_time: Nullable(InstantSchema),
  /** Keys of the products that it is for; empty for all. */
  goods: Type.Array(EditKeySchema, { maxItems: 200, uniqueItems: true }),
  /** How many shoppers can claim it; null without a limit. */
  total: Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
  offer: Type.Boolean(),
  redeem_code: text(64),
  /** Inviters get this coupon. Saving it takes the role from the coupon that had it. Without such a coupon invitations are closed. */
  for_invitation: Type.Boolean(),
  claim_from: Nullable(InstantSchema),
  claim_until: Nullable(InstantSchema),
});
export type StaffCoupon = Static<typeof StaffCouponSchema>;
