import { cleanCode } from '@shop/server/coupons/coupons.service';
import type { Sql } from '@shop/server/platform/db/sql';
import { canonicalJson } from '@shop/server/platform/http/canonical-json';
import { periodFaults, timeOrNull } from '@shop/server/platform/http/edit-schemas';
import { ShopError } from '@shop/server/platform/http/errors';
import { fromWire, toWire } from '@shop/server/platform/http/money';
import { plainText } from '@shop/server/platform/http/plain-text';
import type { Currency } from '@shop/server/platform/http/schemas';
import { CouponExpireType, CouponStatus, CouponType, CouponUseStatus, languages } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { Editable } from '../edits/edits.service';
import type { StaffCoupon } from './coupons.schemas';
import { amount, inBoth } from './goods-sql';

type Times = 'start_time' | 'end_time' | 'claim_from' | 'claim_until';
interface CouponRow extends Omit<StaffCoupon, Times>, Record<Times, Date | null> {
  key: string;
  claimed: number;
  used: number;
  state: 'waiting' | 'open' | 'gone' | 'ended';
}

const amountsIn = (currency: Currency) =>
  `(select json_build_object('reduce_price', ${amount('reduce_price')}, 'min_price', ${amount('min_price')})
      from coupon_amounts where coupon_id = c.id and currency = '${currency}')`;
const columns = `c.key, ${inBoth('c.name')} as name, c.coupon_type, coalesce(c.discount_tenths, 0) as percent, c.expire_type, c.expire_day,
  c.start_time, c.end_time, c.total, c.offer, coalesce(c.redeem_code, '') as redeem_code, c.for_invitation, c.claim_from, c.claim_until,
  c.received as claimed,
  (select count(*) from user_coupons uc where uc.coupon_id = c.id and uc.use_status = ${CouponUseStatus.Used}) as used,
  case when c.status <> ${CouponStatus.Enabled} or c.claim_until <= now() or c.end_time <= now() then 'ended'
       when c.claim_from > now() or c.start_time > now() then 'waiting'
       when c.received >= c.total then 'gone' else 'open' end as state,
  json_build_object('CNY', ${amountsIn('CNY')}, 'USD', ${amountsIn('USD')}) as amounts,
  array(select g.key from coupon_goods cg join goods g on g.id = cg.goods_id where cg.coupon_id = c.id order by g.key collate "C") as goods`;

const MOST_SHOWN = 500;

export async function listCoupons(sql: Sql) {
  const rows = await sql.rows<CouponRow>(`select ${columns} from coupons c order by c.id desc limit ${MOST_SHOWN}`);
  return rows.map(toListed);
}

const toListed = ({ key, state, claimed, used, ...row }: CouponRow) => ({
  ...{ key, state, claimed, used },
  value: {
    ...row,
    start_time: timeOrNull(row.start_time),
    end_time: timeOrNull(row.end_time),
    claim_from: timeOrNull(row.claim_from),
    claim_until: timeOrNull(row.claim_until),
  },
});

async function readCoupon(sql: Sql, key: string) {
  const row = await sql.row<CouponRow>(`select ${columns} from coupons c where c.key = $1`, [key]);
  return row && toListed(row);
}

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

function cleanCoupon(input: StaffCoupon): StaffCoupon {
  const reduces = input.coupon_type === CouponType.Reduction;
  const isWindow = input.expire_type === CouponExpireType.FixedWindow;
  const amountsIn = (currency: Currency) => {
    const amounts = input.amounts[currency];
    if (!amounts) return null;
    const exact = (text: string) => toWire(fromWire(text) ?? 0);
    return { reduce_price: reduces ? exact(amounts.reduce_price) : '0.00', min_price: exact(amounts.min_price) };
  };
  return {
    ...input,
    name: { 'zh-CN': plainText(input.name['zh-CN']), en: plainText(input.name.en) },
    percent: reduces ? 0 : input.percent,
    amounts: { CNY: amountsIn('CNY'), USD: amountsIn('USD') },
    expire_day: isWindow ? 0 : input.expire_day,
    start_time: isWindow ? input.start_time : null,
    end_time: isWindow ? input.end_time : null,
    goods: [...input.goods].sort(),
    redeem_code: cleanCode(input.redeem_code),
  };
}

/** What a coupon is worth and where and until when it is valid. */
const termsOf = ({
  coupon_type,
  percent,
  amounts,
  goods,
  expire_type,
  expire_day,
  start_time,
  end_time,
}: StaffCoupon) => canonicalJson([coupon_type, percent, amounts, goods, expire_type, expire_day, start_time, end_time]);

/** Throws CouponClaimed if the terms of a claimed coupon change, CouponTotalTooSmall, CouponCodeTaken and UnknownGoods. */
async function writeCoupon(sql: Sql, key: string, input: StaffCoupon): Promise<void> {
  const value = cleanCoupon(input);
  const before = await readCoupon(sql, key);
  if (before?.claimed && termsOf(before.value) !== termsOf(value)) throw new ShopError(StaffErrorCode.CouponClaimed);
  if (before && value.total !== null && value.total < before.claimed)
    throw new ShopError(StaffErrorCode.CouponTotalTooSmall, { claimed: before.claimed });
  const otherCoupon = await sql.row('select 1 from coupons where redeem_code = $1 and key <> $2', [
    value.redeem_code,
    key,
  ]);
  if (otherCoupon) throw new ShopError(StaffErrorCode.CouponCodeTaken);
  if (value.for_invitation)
    await sql.run('update coupons set for_invitation = false where for_invitation and key <> $1', [key]);
  const { id } = await sql.one<{ id: number }>(
    `insert into coupons (key, name_zh, name_en, coupon_type, discount_tenths, expire_type, expire_day, start_time, end_time,
       apply_range, total, offer, redeem_code, claim_from, claim_until, for_invitation)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     on conflict (key) do update set name_zh = excluded.name_zh, name_en = excluded.name_en, coupon_type = excluded.coupon_type,
       discount_tenths = excluded.discount_tenths, expire_type = excluded.expire_type, expire_day = excluded.expire_day,
       start_time = excluded.start_time, end_time = excluded.end_time, apply_range = excluded.apply_range,
       total = excluded.total, offer = excluded.offer, redeem_code = excluded.redeem_code, claim_from = excluded.claim_from,
       claim_until = excluded.claim_until, for_invitation = excluded.for_invitation
     returning id`,
    [
      key,
      value.name['zh-CN'],
      value.name.en,
      value.coupon_type,
      value.percent || null,
      value.expire_type,
      value.expire_day,
      value.start_time,
      value.end_time,
      value.goods.length > 0 ? 20 : 10,
      value.total,
      value.offer,
      value.redeem_code || null,
      value.claim_from,
      value.claim_until,
      value.for_invitation,
    ],
  );
  await sql.run('delete from coupon_amounts where coupon_id = $1', [id]);
  await sql.run(
    `insert into coupon_amounts (coupon_id, currency, reduce_price, min_price)
     select $1, key, (value ->> 'reduce_price')::numeric * 100, (value ->> 'min_price')::numeric * 100
       from jsonb_each($2) where value <> 'null'`,
    [id, JSON.stringify(value.amounts)],
  );
  await sql.run('delete from coupon_goods where coupon_id = $1', [id]);
  const stored = await sql.run(
    'insert into coupon_goods (coupon_id, goods_id) select $1, id from goods where key = any ($2::text[])',
    [id, value.goods],
  );
  if (stored !== value.goods.length) throw new ShopError(StaffErrorCode.UnknownGoods);
}

export const couponEditable: Editable<StaffCoupon> = {
  kind: 'coupon',
  // No shopper can claim it meanwhile.
  lock: (sql, key) => sql.row('select 1 from coupons where key = $1 for update', [key]),
  read: async (sql, key) => (await readCoupon(sql, key))?.value,
  faults: async (_sql, value) => couponFaults(value),
  write: writeCoupon,
};
