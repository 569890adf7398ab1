import { cleanCode } from '@shop/server/coupons/coupons.service';
import type { Sql } from '@shop/server/platform/db/sql';
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

interface CouponRow {
  id: number;
  key: string;
  name_zh: string;
  name_en: string;
  coupon_type: StaffCoupon['coupon_type'];
  discount_tenths: number | null;
  expire_type: StaffCoupon['expire_type'];
  expire_day: number;
  start_time: Date | null;
  end_time: Date | null;
  total: number | null;
  offer: boolean;
  redeem_code: string | null;
  for_invitation: boolean;
  claim_from: Date | null;
  claim_until: Date | null;
  claimed: number;
  used: number;
  state: 'waiting' | 'open' | 'gone' | 'ended';
  amounts: Array<{ currency: Currency; reduce_price: number; min_price: number }> | null;
  goods: string[];
}

const columns = `c.id, c.key, c.name_zh, c.name_en, c.coupon_type, c.discount_tenths, c.expire_type, c.expire_day, c.start_time,
  c.end_time, c.total, c.offer, c.redeem_code, c.for_invitation, c.claim_from, c.claim_until, c.received as claimed,
  (select count(*) from user_coupons uc where uc.coupon_id = c.id and uc.use_status = ${CouponUseStatus.Used}) as used,
  case when c.status <> ${CouponStatus.Enabled} or c.claim_until <= now() or c.end_time <= now() then 'ended'
       when c.claim_from > now() or c.start_time > now() then 'waiting'
       when c.received >= c.total then 'gone' else 'open' end as state,
  (select json_agg(json_build_object('currency', a.currency, 'reduce_price', a.reduce_price, 'min_price', a.min_price))
     from coupon_amounts a where a.coupon_id = c.id) as amounts,
  array(select g.key from coupon_goods cg join goods g on g.id = cg.goods_id where cg.coupon_id = c.id order by g.key) as goods`;

const MOST_SHOWN = 500;

export async function listCoupons(sql: Sql) {
  const rows = await sql.rows<CouponRow>(`select ${columns} from coupons c order by c.id desc limit ${MOST_SHOWN}`);
  return rows.map((row) => ({
    key: row.key,
    state: row.state,
    claimed: row.claimed,
    used: row.used,
    value: toCoupon(row),
  }));
}

function toCoupon(row: CouponRow): StaffCoupon {
  const amountsIn = (currency: Currency) => {
    const amountsOfCurrency = row.amounts?.find((amount) => amount.currency === currency);
    return amountsOfCurrency
      ? { reduce_price: toWire(amountsOfCurrency.reduce_price), min_price: toWire(amountsOfCurrency.min_price) }
      : null;
  };
  return {
    name: { 'zh-CN': row.name_zh, en: row.name_en },
    coupon_type: row.coupon_type,
    percent: row.discount_tenths ?? 0,
    amounts: { CNY: amountsIn('CNY'), USD: amountsIn('USD') },
    expire_type: row.expire_type,
    expire_day: row.expire_day,
    start_time: timeOrNull(row.start_time),
    end_time: timeOrNull(row.end_time),
    goods: row.goods,
    total: row.total,
    offer: row.offer,
    redeem_code: row.redeem_code ?? '',
    for_invitation: row.for_invitation,
    claim_from: timeOrNull(row.claim_from),
    claim_until: timeOrNull(row.claim_until),
  };
}

const couponRow = (sql: Sql, key: string): Promise<CouponRow | undefined> =>
  sql.row<CouponRow>(`select ${columns} from coupons c where c.key = $1`, [key]);

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

const termsOf = ({
  coupon_type,
  percent,
  amounts,
  expire_type,
  expire_day,
  start_time,
  end_time,
  goods,
}: StaffCoupon) =>
  JSON.stringify([
    [coupon_type, percent, expire_type, expire_day, start_time, end_time, ...[...goods].sort()],
    currencies.map((currency) => [amounts[currency]?.reduce_price, amounts[currency]?.min_price]),
  ]);

/** Throws CouponClaimed if the terms of a claimed coupon change, CouponTotalTooSmall, CouponCodeTaken and UnknownGoods. */
async function writeCoupon(sql: Sql, key: string, input: StaffCoupon): Promise<void> {
  const value = cleanCoupon(input);
  const before = await couponRow(sql, key);
  if (before) {
    const { claimed } = before;
    if (claimed > 0 && termsOf(toCoupon(before)) !== termsOf(value)) throw new ShopError(StaffErrorCode.CouponClaimed);
    if (value.total !== null && value.total < claimed)
      throw new ShopError(StaffErrorCode.CouponTotalTooSmall, { claimed });
  }
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
  for (const currency of currencies) {
    const amounts = value.amounts[currency];
    if (!amounts) continue;
    await sql.run('insert into coupon_amounts (coupon_id, currency, reduce_price, min_price) values ($1, $2, $3, $4)', [
      id,
      currency,
      fromWire(amounts.reduce_price),
      fromWire(amounts.min_price),
    ]);
  }
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
  read: async (sql, key) => {
    const row = await couponRow(sql, key);
    return row && toCoupon(row);
  },
  faults: async (_sql, value) => couponFaults(value),
  write: writeCoupon,
};
