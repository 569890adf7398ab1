import { cleanCode } from '@shop/server/coupons/coupons.service';
import { type StaffCoupon, saveCoupon } from '@shop/server/coupons/coupons.store';
import type { Sql } from '@shop/server/platform/db/sql';
import { canonicalJson } from '@shop/server/platform/http/canonical-json';
import { periodFaults } from '@shop/server/platform/http/edit-schemas';
import { ShopError } from '@shop/server/platform/http/errors';
import { fromWire } from '@shop/server/platform/http/money';
import { plainText } from '@shop/server/platform/http/plain-text';
import type { Currency } from '@shop/server/platform/http/schemas';
import { CouponExpireType, CouponStatus, CouponType, CouponUseStatus, languages } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { Editable } from '../edits/edits.service';
import { amount, instant, textsOf } from '../sql';

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
  const redeemCode = cleanCode(value.redeem_code);
  if (await sql.row('select 1 from coupons where redeem_code = $1 and key <> $2', [redeemCode, key]))
    throw new ShopError(StaffErrorCode.CouponCodeTaken);
  if (value.for_invitation)
    await sql.run('update coupons set for_invitation = false where for_invitation and key <> $1', [key]);
  await saveCoupon(sql, key, { ...value, redeem_code: redeemCode });
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
