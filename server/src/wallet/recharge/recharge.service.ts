import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../../context';
import { openPayment, providerOf } from '../../payments/payments.service';
import { randomNumber } from '../../platform/crypto/tokens';
import type { Sql } from '../../platform/db/sql';
import { ShopError } from '../../platform/http/errors';
import { fromWire, toWire, wireAmount } from '../../platform/http/money';
import { cursorPageOf, pagingOf } from '../../platform/http/paging';
import type { RequestLocale, Viewer } from '../../platform/http/request';
import type { Currency, Page, Sent } from '../../platform/http/schemas';
import type {
  Recharge,
  RechargeCreateBody,
  RechargeCreated,
  RechargeInfo,
  RechargeListQuery,
  RechargeOptions,
} from '../wallet.schemas';

interface Bounds {
  options: string[];
  min: string;
  max: string;
}
const defaults: Record<Currency, Bounds> = {
  CNY: { options: ['10.00', '50.00', '100.00', '200.00', '500.00', '1000.00'], min: '1.00', max: '10000.00' },
  USD: { options: ['5.00', '10.00', '20.00', '50.00', '100.00', '200.00'], min: '1.00', max: '2000.00' },
};
const DAY_FACTOR = 5;
const RECHARGE_MINUTES = 30;
const OPEN_RECHARGES = 5;
const RECHARGE_LOCK = 3;

async function boundsOf(sql: Sql, currency: Currency) {
  const row = await sql.row<{ value: Record<Currency, Bounds> }>("select value from app_config where key = 'recharge'");
  const { options, min, max } = row?.value[currency] ?? defaults[currency];
  const most = fromWire(max) ?? 0;
  return { amounts: options, min: fromWire(min) ?? 0, max: most, day: most * DAY_FACTOR };
}

/** Minor units: what was paid within a day, and what still may be paid. Open recharges count, since all could be paid at once. */
async function usedOf(sql: Sql, viewer: Viewer, currency: Currency): Promise<{ used: number; open: number }> {
  return sql.one<{ used: number; open: number }>(
    `select coalesce(sum(amount) filter (where currency = $2), 0)::bigint as used, count(*) filter (where state = 'pending') as open
       from recharges where user_id = $1
        and (state = 'paid' and paid_at > now() - interval '1 day' or state = 'pending' and expire_at > now())`,
    [viewer.id, currency],
  );
}

export async function rechargeOptions(sql: Sql, viewer: Viewer, currency: Currency): Promise<RechargeOptions> {
  const bounds = await boundsOf(sql, currency);
  return {
    currency,
    amounts: bounds.amounts,
    min: toWire(bounds.min),
    max: toWire(bounds.max),
    day_left: toWire(Math.max(0, bounds.day - (await usedOf(sql, viewer, currency)).used)),
  };
}

export async function createRecharge(
  context: AppContext,
  sql: Sql,
  viewer: Viewer,
  body: RechargeCreateBody,
  { currency, locale }: RequestLocale,
): Promise<RechargeCreated> {
  providerOf(context, body.method, currency);
  const amount = fromWire(body.amount) ?? 0;
  const bounds = await boundsOf(sql, currency);
  await sql.one('select pg_advisory_xact_lock($1, $2::integer)', [RECHARGE_LOCK, viewer.id]);
  const { used, open } = await usedOf(sql, viewer, currency);
  if (open >= OPEN_RECHARGES) throw new ShopError(ErrorCode.TooManyOpenRecharges);
  if (amount < bounds.min || amount > bounds.max || used + amount > bounds.day)
    throw new ShopError(ErrorCode.RechargeAmountNotAllowed);
  const recharge = await sql.one<{ recharge_id: number; recharge_no: string; expire_at: Date }>(
    `insert into recharges (recharge_no, user_id, currency, amount, method, expire_at)
     values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(mins => $6)) returning id as recharge_id, recharge_no, expire_at`,
    [randomNumber(), viewer.id, currency, amount, body.method, RECHARGE_MINUTES],
  );
  const purpose = { ...recharge, order_id: null, amount, currency };
  const payment = await openPayment(context, sql, viewer, body.method, purpose, locale);
  return { recharge_no: recharge.recharge_no, amount: toWire(amount), currency, ...payment };
}

const RECHARGE = `r.recharge_no, ${wireAmount('r.amount')} as amount, r.currency, r.method, r.created_at, r.paid_at,
  case when r.state = 'pending' and r.expire_at <= now() then 'closed' else r.state end as state`;

/** Throws NotFound. */
export async function rechargeInfo(sql: Sql, viewer: Viewer, rechargeNo: string): Promise<Sent<RechargeInfo>> {
  const recharge = await sql.row<Sent<RechargeInfo>>(
    `select ${RECHARGE}, p.payment_no, ${wireAmount('coalesce(payment_paid_back(p.id), 0)')} as refunded_amount
       from recharges r left join payments p on p.recharge_id = r.id and p.state = 'paid'
      where r.user_id = $1 and r.recharge_no = $2 order by p.id limit 1`,
    [viewer.id, rechargeNo],
  );
  if (!recharge) throw new ShopError(ErrorCode.NotFound);
  return recharge;
}

export async function rechargeList(
  sql: Sql,
  viewer: Viewer,
  query: RechargeListQuery,
  currency: Currency,
): Promise<Page<Sent<Recharge>>> {
  const paging = pagingOf(query);
  const rows = await sql.rows<Sent<Recharge> & { total: number }>(
    `select ${RECHARGE}, (select count(*) from recharges where user_id = $1 and currency = $2) as total
       from recharges r where user_id = $1 and currency = $2
        and ($5::text is null or id < (select id from recharges where recharge_no = $5 and user_id = $1))
      order by id desc limit $3 offset $4`,
    [viewer.id, currency, paging.limit + 1, paging.offset, paging.cursor],
  );
  const itemOf = ({ total: _total, ...recharge }: (typeof rows)[number]) => recharge;
  return cursorPageOf(rows, rows[0]?.total ?? 0, paging, itemOf, (row) => String(row.recharge_no));
}
