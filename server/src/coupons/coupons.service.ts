import {
  CouponApplyRange,
  CouponExpireType,
  CouponStatus,
  CouponUseStatus,
  ErrorCode,
  OrderStatus,
} from '@shop/shared/domain';
import { plainText } from '@shop/shared/domain/plain-text';
import { daysLater } from '@shop/shared/domain/time-zone';
import { instant, type Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import { suffixOf } from '../platform/http/localised-text';
import { wireAmount } from '../platform/http/money';
import type { RequestLocale } from '../platform/http/request';
import type { Currency, Locale, Sent } from '../platform/http/schemas';
import type { Coupon, PreviewCoupon, PreviewOffer, UserCoupon } from './coupons.schemas';

/** Its amounts are in the request's currency if it has some, otherwise in one that it has. */
const columns = (locale: Locale, currency: Currency, times: 'c' | 'uc') => `c.id, c.coupon_type,
  c.name_${suffixOf(locale)} as name,
  (coalesce(c.discount_tenths, 0) / 10.0)::float8 as discount, ${wireAmount('coalesce(a.reduce_price, 0)')} as reduce_price,
  ${wireAmount('coalesce(a.min_price, 0)')} as min_price, coalesce(a.currency, '${currency}') as currency,
  array(select currency::text from coupon_amounts where coupon_id = c.id order by 1) as currencies,
  c.expire_type, c.expire_day, ${times}.start_time, ${times}.end_time, c.apply_range, c.status,
  coalesce((select json_agg(json_build_object('goods_id', g.id, 'goods_name', g.name_${suffixOf(locale)}) order by g.id)
     from coupon_goods cg join goods g on g.id = cg.goods_id where cg.coupon_id = c.id), '[]') as items`;

const amountsIn = (currency: Currency) =>
  `left join lateral (select * from coupon_amounts where coupon_id = c.id order by currency <> '${currency}', currency limit 1) a on true`;

const receivable = `c.status = ${CouponStatus.Enabled} and (c.total is null or c.received < c.total) and ${inside('c')}`;

/** SQL condition: inviters get the coupon `c`. At most one coupon satisfies it. */
export const invitationCoupon = `c.for_invitation and ${receivable}`;

function inside(c: 'c' | 'coupons'): string {
  return `coalesce(${c}.claim_from <= now(), true) and coalesce(${c}.claim_until > now(), true)
    and (${c}.expire_type = ${CouponExpireType.AfterReceipt} or (${c}.start_time <= now() and ${c}.end_time > now()))`;
}

export async function offeredCoupon(
  sql: Sql,
  userId: number,
  { locale, currency }: RequestLocale,
): Promise<Sent<Coupon> | null> {
  const coupon = await sql.row<Sent<Coupon>>(
    `select ${columns(locale, currency, 'c')} from coupons c ${amountsIn(currency)}
      where c.offer and ${receivable}
        and not exists (select 1 from user_coupons uc where uc.coupon_id = c.id and uc.user_id = $1)
      order by c.id limit 1`,
    [userId],
  );
  return coupon ?? null;
}

/** The offered coupon, not yet received, with the largest discount on an order of the goods; `amount` is in minor units. */
export async function bestOffer(
  sql: Sql,
  userId: number,
  order: { goodsId: number; amount: number },
  { locale, currency }: RequestLocale,
): Promise<PreviewOffer | null> {
  const offer = await sql.row<PreviewOffer>(
    `select id, name, ${wireAmount('discount')} as discount_amount, ${wireAmount('$3 - discount')} as total_amount from (
       select c.id, c.name_${suffixOf(locale)} as name, coupon_discount(c.coupon_type, a.reduce_price, c.discount_tenths, $3) as discount
         from coupons c join coupon_amounts a on a.coupon_id = c.id and a.currency = $4
        where c.offer and ${receivable} and a.min_price <= $3
          and (c.apply_range = ${CouponApplyRange.AllGoods} or exists (select 1 from coupon_goods cg where cg.coupon_id = c.id and cg.goods_id = $2))
          and not exists (select 1 from user_coupons uc where uc.coupon_id = c.id and uc.user_id = $1)) offers
      where discount > 0 order by discount desc, id limit 1`,
    [userId, order.goodsId, order.amount, currency],
  );
  return offer ?? null;
}

/** Rows past their end count as expired (3) before the job has updated them. */
const effectiveStatus = `case when uc.use_status = ${CouponUseStatus.Unused} and uc.end_time <= now() then 3 else uc.use_status end`;

export async function userCoupons(
  sql: Sql,
  userId: number,
  status: number | undefined,
  { locale, currency }: RequestLocale,
  ids?: number[],
): Promise<Sent<UserCoupon>[]> {
  const rows = await sql.rows<Omit<Sent<UserCoupon>, 'order_no'> & { order_no: string | null }>(
    `select uc.id as user_coupon_id, ${effectiveStatus} as use_status, o.order_no, ${columns(locale, currency, 'uc')}
       from user_coupons uc join coupons c on c.id = uc.coupon_id left join orders o on o.id = uc.order_id ${amountsIn(currency)}
      where uc.user_id = $1 and ($2::integer is null or ${effectiveStatus} = $2) and ($3::bigint[] is null or uc.id = any($3))
      order by uc.end_time, uc.id limit 200`,
    [userId, status ?? null, ids ?? null],
  );
  return rows.map(({ order_no, ...coupon }) => ({ ...coupon, ...(order_no && { order_no }) }));
}

interface Receivable {
  id: number;
  status: number;
  inside: boolean;
  expire_day: number;
  now: Date;
}

/**
 * Receives a coupon once, or once for each invited shopper. Its days end at the time on the clock of the zone. The counter and the unique indexes of user_coupons hold under any concurrency.
 */
async function receive(
  sql: Sql,
  userId: number,
  coupon: Receivable | undefined,
  zone: string,
  inviteeId: number | null = null,
): Promise<number> {
  if (coupon?.status !== CouponStatus.Enabled) throw new ShopError(ErrorCode.CouponNotFound);
  if (!coupon.inside) throw new ShopError(ErrorCode.CouponNotValidNow);
  const received = await sql.row(
    'select 1 from user_coupons where user_id = $1 and coupon_id = $2 and invitee_id is not distinct from $3::bigint',
    [userId, coupon.id, inviteeId],
  );
  if (received) throw new ShopError(ErrorCode.CouponAlreadyReceived);
  const counted = await sql.run(
    `update coupons set received = received + 1 where id = $1 and status = ${CouponStatus.Enabled} and (total is null or received < total)`,
    [coupon.id],
  );
  if (!counted) throw new ShopError(ErrorCode.NoCouponsLeft);
  const row = await sql.row<{ id: number }>(
    `insert into user_coupons (user_id, coupon_id, invitee_id, start_time, end_time)
     select $1, c.id, $3, case c.expire_type when 10 then now() else c.start_time end,
            case c.expire_type when 10 then $4::timestamptz else c.end_time end
       from coupons c where c.id = $2
     on conflict do nothing returning id`,
    [userId, coupon.id, inviteeId, daysLater(coupon.now, coupon.expire_day, zone)],
  );
  // The caller's transaction or savepoint rolls the count back.
  if (!row) throw new ShopError(ErrorCode.CouponAlreadyReceived);
  return row.id;
}

const receivableColumns = `id, status, expire_day, now(), (${inside('coupons')}) as inside`;

/** A coupon with a redeem code cannot be received by its id unless it is offered. */
export async function receiveCoupon(
  sql: Sql,
  userId: number,
  { id, code }: { id?: number; code?: string },
  zone: string,
  requestLocale: RequestLocale,
): Promise<Sent<UserCoupon>[]> {
  const coupon = await sql.row<Receivable>(
    `select ${receivableColumns} from coupons where id = $1 and (redeem_code is null or offer) or redeem_code = $2`,
    [id ?? null, code === undefined ? null : cleanCode(code)],
  );
  return userCoupons(sql, userId, undefined, requestLocale, [await receive(sql, userId, coupon, zone)]);
}

export const cleanCode = (code: string) => plainText(code).toUpperCase();

/** Gives a coupon regardless of its claim period: for staff, the seed, and the inviter of `inviteeId`. */
export async function giveCoupon(
  sql: Sql,
  userId: number,
  couponId: number,
  zone: string,
  inviteeId: number | null = null,
): Promise<number> {
  const coupon = await sql.row<Receivable>(`select ${receivableColumns} from coupons where id = $1`, [couponId]);
  return receive(sql, userId, coupon && { ...coupon, inside: true }, zone, inviteeId);
}

export interface Priced extends PreviewCoupon {
  /** Minor units. */
  discount: number;
  /** 0, or the error code that says why the coupon cannot be used. */
  fault: 0 | ErrorCode;
}

/**
 * SQL of a JSON list of the user $1's unused coupons and of those that unpaid orders hold, priced against an order of the goods $2 in the
 * currency $4 whose amount in minor units is the expression `amount`. The best comes first: largest discount, then earliest expiry.
 */
export const pricedCoupons = (amount: string, locale: Locale) => `(
  select coalesce(json_agg(json_build_object('user_coupon_id', pc.user_coupon_id, 'id', c.id, 'name', c.name_${suffixOf(locale)},
      'coupon_type', c.coupon_type, 'discount', pc.discount, 'discount_amount', ${wireAmount('pc.discount')},
      'end_time', ${instant('pc.end_time')}, 'fault', pc.fault) order by pc.fault = 0 desc, pc.off desc, pc.end_time, pc.user_coupon_id), '[]')
    from (select *, case when fault = 0 then off else 0 end as discount from priced_coupons($1, $2, ${amount}, $4, null)
          union all
          select uc.id, uc.coupon_id, 0, ${ErrorCode.CouponInUnpaidOrder}, uc.end_time, 0 from user_coupons uc join orders o on o.id = uc.order_id
           where uc.user_id = $1 and uc.use_status = ${CouponUseStatus.Used} and uc.end_time > clock_timestamp() and o.status = ${OrderStatus.Unpaid} and o.closed_at is null) pc
    join coupons c on c.id = pc.coupon_id)`;

export const expireCoupons = (sql: Sql) =>
  sql.run(
    `update user_coupons set use_status = ${CouponUseStatus.Expired} where use_status = ${CouponUseStatus.Unused} and end_time <= clock_timestamp()`,
  );
