import type { AppContext } from '../../context';
import { toWire } from '../../platform/http/money';
import { StaffError } from './common';

export async function figures({ db }: AppContext, day: string) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new StaffError(`"${day}" is not a day like 2026-01-31.`);
  const rows = await db.rows<{ currency: string; paid: number; sales: number; refunds: number; recharged: number }>(
    `with span as (select $1::timestamptz as start, $1::timestamptz + interval '1 day' as stop)
     select c.currency,
       (select count(*) from orders, span where currency = c.currency and paid_at >= start and paid_at < stop) as paid,
       (select coalesce(sum(total_amount), 0)::bigint from orders, span where currency = c.currency and paid_at >= start and paid_at < stop) as sales,
       (select coalesce(sum(r.amount), 0)::bigint from order_refunds r join orders o on o.id = r.order_id, span where o.currency = c.currency and r.created_at >= start and r.created_at < stop) as refunds,
       (select coalesce(sum(amount), 0)::bigint from recharges, span where currency = c.currency and paid_at >= start and paid_at < stop) as recharged
       from (values ('CNY'), ('USD')) c (currency)`,
    [`${day}T00:00:00Z`],
  );
  return rows.map((row) => ({
    ...row,
    sales: toWire(row.sales),
    refunds: toWire(row.refunds),
    recharged: toWire(row.recharged),
  }));
}
