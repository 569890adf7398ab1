import type { AppContext, DomainOptions } from '@shop/server/context';
import { reconcile } from '@shop/server/payments/reconcile.service';
import { RequestState } from '@shop/server/platform/db/named-numbers';
import type { Sql } from '@shop/server/platform/db/sql';
import { DaySchema } from '@shop/server/platform/http/edit-schemas';
import { ShopError } from '@shop/server/platform/http/errors';
import { suffixOf } from '@shop/server/platform/http/localised-text';
import { toWire, wireAmount } from '@shop/server/platform/http/money';
import type { Currency, Locale } from '@shop/server/platform/http/schemas';
import { LedgerType, RechargeType } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { addDays, endOfDay, instantOf } from '@shop/shared/domain/time-zone';
import { Type } from 'typebox';
import { callFor } from '../calls';
import { record } from '../people/record';

const call = callFor('reports');

export const reportCalls = ({ context, reads }: DomainOptions) => ({
  'GET reports': call({ query: Type.Object({ from: DaySchema, to: DaySchema }) }, ({ query, locale }) =>
    readReports(reads, query, context.config.timeZone, locale),
  ),
  'POST reconcile': call({ body: Type.Object({ day: DaySchema }) }, ({ body }) => reconcileDay(context, body.day)),
});

const MOST_DAYS = 92;
const MOST_MARGINS = 300;
const DAY_MS = 86_400_000;

/** $1 holds the start of each day and the end of the last one. A day of the shop has 23 or 25 hours when clocks change. */
const span = `span as (
  select ($1::timestamptz[])[1] as start, ($1::timestamptz[])[cardinality($1::timestamptz[])] as stop)`;
/** The number of the day in the period, from 1. */
const dayOf = (column: string) => `width_bucket(${column}, $1::timestamptz[]) as day`;

/** Counts, and minor units of the ledger. `wallets` is the sum that came in, and on day 0 the balance before the first day. */
type Sum = 'orders' | 'payments' | 'failed' | 'sales' | 'refunds' | 'received' | 'paid_out' | 'wallets';
interface DayRow extends Partial<Record<Sum, number>> {
  day: number;
  currency: Currency;
}
/** It is one statement, because wallets change meanwhile. */
const ledger = `
  with ${span}
  select ${dayOf('t.created_at')}, e.currency,
         coalesce(sum(e.amount) filter (where e.account = 'sales' and t.type = ${LedgerType.Buy}), 0)::bigint as sales,
         coalesce(-sum(e.amount) filter (where e.account = 'sales' and t.type <> ${LedgerType.Buy}), 0)::bigint as refunds,
         coalesce(-sum(e.amount) filter (where e.account = 'cash' and e.amount < 0), 0)::bigint as received,
         coalesce(sum(e.amount) filter (where e.account = 'cash' and e.amount > 0), 0)::bigint as paid_out,
         coalesce(sum(e.amount) filter (where e.user_id is not null), 0)::bigint as wallets
    from span, ledger_transactions t join ledger_entries e on e.transaction_id = t.id
   where t.created_at >= start and t.created_at < stop
   group by 1, 2
  union all
  select 0, currency, 0, 0, 0, 0, sum(amount)::bigint from (
    select currency, balance + frozen as amount from wallets
    union all
    select e.currency, -e.amount from span, ledger_transactions t join ledger_entries e on e.transaction_id = t.id
     where t.created_at >= start and e.user_id is not null) one
   group by currency`;

const counted = `
  with ${span}
  select day, currency, sum(orders)::bigint as orders, sum(paid + failed)::bigint as payments, sum(failed)::bigint as failed from (
    select ${dayOf('paid_at')}, currency, 1 as orders, 0 as paid, 0 as failed
      from span, orders where paid_at >= start and paid_at < stop
    union all
    select ${dayOf('ended_at')}, currency, 0, (state = 'paid')::integer, (state = 'failed')::integer
      from span, payments where state in ('paid', 'failed') and ended_at >= start and ended_at < stop) one
   group by day, currency`;

/** Days are those of the time zone. Throws WrongDays. */
export async function readReports(sql: Sql, { from, to }: { from: string; to: string }, zone: string, locale: Locale) {
  const days = daysOf(from, to);
  const values = [[...days.map((day) => instantOf(day, zone)), endOfDay(to, zone)]];
  const rows = [...(await sql.rows<DayRow>(ledger, values)), ...(await sql.rows<DayRow>(counted, values))];
  return {
    days: days.flatMap((day, index) =>
      currencies.map((currency) => ({ day, ...sumsOf(rows, currency, index + 1, index + 1) })),
    ),
    totals: currencies.map((currency) => sumsOf(rows, currency, 1, days.length)),
    margins: await margins(sql, values, locale),
    reconciled: await reconciled(sql, from, to),
    late: await lateDeliveries(sql, values),
  };
}

/**
 * Sums from one day to another; refunds include those made at the provider. `liabilities` is the balance of all wallets at the end,
 * with frozen money.
 */
function sumsOf(rows: DayRow[], currency: Currency, first: number, last: number) {
  const sum = (name: Sum, from = first) =>
    rows
      .filter((row) => row.currency === currency && row.day >= from && row.day <= last)
      .reduce((total, row) => total + (row[name] ?? 0), 0);
  return {
    currency,
    orders: sum('orders'),
    sales: toWire(sum('sales')),
    refunds: toWire(sum('refunds')),
    net: toWire(sum('sales') - sum('refunds')),
    received: toWire(sum('received')),
    paid_out: toWire(sum('paid_out')),
    liabilities: toWire(sum('wallets', 0)),
    payments: sum('payments'),
    failed_payments: sum('failed'),
  };
}

const isDay = (text: string) => !Number.isNaN(instantOf(text, 'UTC').getTime());

function daysOf(from: string, to: string): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = (last - first) / DAY_MS + 1;
  if (!isDay(from) || !isDay(to) || count < 1 || count > MOST_DAYS) throw new ShopError(StaffErrorCode.WrongDays);
  return Array.from({ length: count }, (_day, index) => addDays(from, index));
}

/**
 * Revenue and cost of the orders that suppliers delivered in the period at a known cost: the sum of each currency first, then the lowest
 * margins. A refund lowers the revenue of its order, and not the cost.
 */
function margins(sql: Sql, values: unknown[], locale: Locale) {
  const to = suffixOf(locale);
  return sql.rows<{
    name: string | null;
    currency: Currency;
    orders: number;
    revenue: string;
    cost: string;
    earned: string;
    /** In percent of the revenue, with one decimal. */
    margin: number | null;
  }>(
    `with ${span}
     select g.name_${to} || ' ' || s.name_${to} as name, d.currency, d.orders, ${wireAmount('d.revenue')} as revenue, ${wireAmount('d.cost')} as cost,
            ${wireAmount('d.revenue - d.cost')} as earned, round((d.revenue - d.cost) * 100.0 / nullif(d.revenue, 0), 1)::float8 as margin
       from (select o.spec_id, o.currency, count(*)::integer as orders, sum(o.total_amount - o.refunded_amount)::bigint as revenue,
                    sum(o.cost)::bigint as cost
               from span, orders o
              where o.recharge_type <> ${RechargeType.CardCode} and o.finished_at >= start and o.finished_at < stop and o.cost is not null
              group by grouping sets ((o.currency), (o.spec_id, o.currency))) d
       left join goods_specs s on s.id = d.spec_id left join goods g on g.id = s.goods_id
      order by d.spec_id is not null, d.revenue - d.cost, d.spec_id, d.currency limit ${MOST_MARGINS}`,
    values,
  );
}

const reconciled = (sql: Sql, from: string, to: string) =>
  sql.rows<{ day: string; method: string; entries: number; differences: number; run_at: Date }>(
    `select to_char(day, 'YYYY-MM-DD') as day, method, entries, jsonb_array_length(differences) as differences, run_at
       from reconciliations where day between $1 and $2 order by day, method`,
    [from, to],
  );

/** Orders of the period that a supplier delivered after their refund. */
const lateDeliveries = (sql: Sql, values: unknown[]) =>
  sql.rows<{ order_no: string; supplier: string; detail: string; paid_at: Date }>(
    `with ${span} select o.order_no, r.supplier, r.detail, o.paid_at from span, orders o join supplier_requests r on r.order_id = o.id
      where r.state = ${RequestState.DeliveredAfterRefund} and o.paid_at >= start and o.paid_at < stop order by o.paid_at limit 200`,
    values,
  );

/** Compares the providers' lists of a day with the current ledger, and stores the differences. Throws WrongDays. */
async function reconcileDay(context: AppContext, day: string) {
  if (!isDay(day)) throw new ShopError(StaffErrorCode.WrongDays);
  const results = await reconcile(context, day);
  await record(context.db, { action: 'payment.reconcile', subject: day });
  const amount = (minor: number | null) => (minor === null ? null : toWire(minor));
  return results.map(({ method, entries, differences }) => ({
    method,
    entries,
    differences: differences.map((difference) => ({
      ...difference,
      listed: amount(difference.listed),
      booked: amount(difference.booked),
    })),
  }));
}
