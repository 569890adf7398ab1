import { CouponApplyRange, CouponExpireType, CouponType } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { type Static, Type } from 'typebox';
import { type Sql, upsert } from '../platform/db/sql';
import { EditKeySchema, exact, InstantSchema, inBoth, oneOf, text } from '../platform/http/edit-schemas';
import { ShopError } from '../platform/http/errors';
import { plainText } from '../platform/http/plain-text';
import { Nullable } from '../platform/http/schemas';

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

/** Adds or changes a coupon. Returns its id. Throws UnknownGoods. */
export async function saveCoupon(sql: Sql, key: string, value: StaffCoupon): Promise<number> {
  const reduces = value.coupon_type === CouponType.Reduction;
  const isWindow = value.expire_type === CouponExpireType.FixedWindow;
  const id = await upsert(sql, 'coupons', {
    key,
    name_zh: plainText(value.name['zh-CN']),
    name_en: plainText(value.name.en),
    coupon_type: value.coupon_type,
    discount_tenths: reduces ? null : value.percent,
    expire_type: value.expire_type,
    expire_day: isWindow ? 0 : value.expire_day,
    start_time: isWindow ? value.start_time : null,
    end_time: isWindow ? value.end_time : null,
    apply_range: value.goods.length > 0 ? CouponApplyRange.AssignedGoods : CouponApplyRange.AllGoods,
    total: value.total,
    offer: value.offer,
    redeem_code: value.redeem_code || null,
    claim_from: value.claim_from,
    claim_until: value.claim_until,
    for_invitation: value.for_invitation,
  });
  await sql.run('delete from coupon_amounts where coupon_id = $1', [id]);
  await sql.run(
    `insert into coupon_amounts (coupon_id, currency, reduce_price, min_price)
     select $1, key, case when $3 then (value ->> 'reduce_price')::numeric * 100 else 0 end,
            coalesce(nullif(value ->> 'min_price', '')::numeric * 100, 0)
       from jsonb_each($2) where value <> 'null'`,
    [id, JSON.stringify(value.amounts), reduces],
  );
  await sql.run('delete from coupon_goods where coupon_id = $1', [id]);
  const stored = await sql.run(
    'insert into coupon_goods (coupon_id, goods_id) select $1, id from goods where key = any ($2::text[])',
    [id, value.goods],
  );
  if (stored !== value.goods.length) throw new ShopError(StaffErrorCode.UnknownGoods);
  return id;
}
