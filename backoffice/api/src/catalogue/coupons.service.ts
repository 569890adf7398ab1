import { cleanCode } from '@shop/server/coupons/coupons.service';
import type { Sql } from '@shop/server/platform/db/sql';
import { upsert } from '@shop/server/platform/db/upsert';
import { canonicalJson } from '@shop/server/platform/http/canonical-json';
import {
  EditKeySchema,
  exact,
  InstantSchema,
  inBoth,
  oneOf,
  periodFaults,
  text,
} from '@shop/server/platform/http/edit-schemas';
import { ShopError } from '@shop/server/platform/http/errors';
import { fromWire } from '@shop/server/platform/http/money';
import { plainText } from '@shop/server/platform/http/plain-text';
import { type Currency, Nullable } from '@shop/server/platform/http/schemas';
import { CouponExpireType, CouponStatus, CouponType, CouponUseStatus, languages } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { type Static, Type } from 'typebox';
import type { Editable } from '../edits/edits.service';
import { amount, instant, textsOf } from '../sql';

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

interface ListedCoupon {
  key: string;
  claimed: number;
  used: number;
  state: 'waiting' | 'open' | 'gone' | 'ended';
  value: StaffCoupon;
}

const amountsIn = (currency: Currency) =>
  `(select json_build_object('reduce_price', ${amount('reduce_price')}, 'min_price', ${amount('min_price')})
      from coupon_amounts where coupon_id = c.id and currency = '${currency}')`;
const columns = `c.key, c.received as claimed,
  (select count(*) from user_coupons uc where uc.coupon_id = c.id and uc.use_status = ${CouponUseStatus.Used}) as used,
  case when c.status <> ${CouponStatus.Enabled} or c.claim_until <= now() or c.end_time <= now() then 'ended'
       when c.claim_from > now() or c.start_time > now() then 'waiting'
       when c.received >= c.total then 'gone' else 'open' end as state,
  json_build_object('name', ${textsOf('c.name')}, 'coupon_type', c.coupon_type, 'percent', coalesce(c.discount_tenths, 0),
    'amounts', json_build_object('CNY', ${amountsIn('CNY')}, 'USD', ${amountsIn('USD')}), 'expire_type', c.expire_type,
    'expire_day', c.expire_day, 'start_time', ${instant('c.start_time')}, 'end_time', ${instant('c.end_time')},
    'goods', array(select g.key from coupon_goods cg join goods g on g.id = cg.goods_id where cg.coupon_id = c.id order by g.key collate "C"),
    'total', c.total, 'offer', c.offer, 'redeem_code', coalesce(c.redeem_code, ''), 'for_invitation', c.for_invitation,
    'claim_from', ${instant('c.claim_from')}, 'claim_until', ${instant('c.claim_until')}) as value`;

const MOST_SHOWN = 500;

export const listCoupons = (sql: Sql) =>
  sql.rows<ListedCoupon>(`select ${columns} from coupons c order by c.id desc limit ${MOST_SHOWN}`);

const readCoupon = (sql: Sql, key: string) =>
  sql.row<ListedCoupon>(`select ${columns} from coupons c where c.key = $1`, [key]);

function couponFaults(value: StaffCoupon): Record<string, string> {
  const faults: Record<string, string> = {
    ...(value.expire_type === CouponExpireType.FixedWindow &&
      periodFaults(['start_time', value.start_time], ['end_time', value.end_time])),
    ...periodFaults(['claim_from', value.claim_from], ['claim_until', value.claim_until]),
  };
  for (const language of languages) if (!plainText(value.name[language])) faults[`name.${language}`] = 'required';
  const amounts = currencies.flatMap((currency) => value.amounts[currency] ?? []);
  if (amounts.length === 0) faults.amounts = 'required';
  if (value.coupon_type === CouponType.Discount && value.percent < 1) faults.percent = 'required';
  if (value.coupon_type === CouponType.Reduction && amounts.some((amount) => !fromWire(amount.reduce_price)))
    faults.amounts = 'minimum';
  if (value.expire_type === CouponExpireType.AfterReceipt && value.expire_day < 1) faults.expire_day = 'required';
  if (value.expire_type === CouponExpireType.FixedWindow && !value.start_time) faults.start_time = 'required';
  if (value.expire_type === CouponExpireType.FixedWindow && !value.end_time) faults.end_time = 'required';
  return faults;
}

/** The terms say what a coupon is worth, for which products and until when. */
const termFields = [
  ...(['coupon_type', 'percent', 'amounts', 'goods'] as const),
  ...(['expire_type', 'expire_day', 'start_time', 'end_time'] as const),
];
const termsOf = (value: StaffCoupon) => canonicalJson(termFields.map((field) => value[field]));

/** Throws CouponClaimed if the terms of a claimed coupon change, CouponTotalTooSmall, CouponCodeTaken and UnknownGoods. */
async function writeCoupon(sql: Sql, key: string, value: StaffCoupon): Promise<void> {
  const before = await readCoupon(sql, key);
  if (before && value.total !== null && value.total < before.claimed)
    throw new ShopError(StaffErrorCode.CouponTotalTooSmall, { claimed: before.claimed });
  const redeemCode = cleanCode(value.redeem_code) || null;
  if (await sql.row('select 1 from coupons where redeem_code = $1 and key <> $2', [redeemCode, key]))
    throw new ShopError(StaffErrorCode.CouponCodeTaken);
  if (value.for_invitation)
    await sql.run('update coupons set for_invitation = false where for_invitation and key <> $1', [key]);
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
    apply_range: value.goods.length > 0 ? 20 : 10,
    total: value.total,
    offer: value.offer,
    redeem_code: redeemCode,
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
  const after = await readCoupon(sql, key);
  if (before?.claimed && after && termsOf(before.value) !== termsOf(after.value))
    throw new ShopError(StaffErrorCode.CouponClaimed);
}

export const couponEditable: Editable<StaffCoupon> = {
  kind: 'coupon',
  // No shopper can claim it meanwhile.
  lock: (sql, key) => sql.row('select 1 from coupons where key = $1 for update', [key]),
  read: async (sql, key) => (await readCoupon(sql, key))?.value,
  faults: async (_sql, value) => couponFaults(value),
  write: writeCoupon,
};
