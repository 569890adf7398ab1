import type { LedgerType } from '@shop/shared/domain';
import type { Sql } from '../platform/db/sql';
import { fieldError } from '../platform/http/errors';
import { fieldText } from '../platform/http/field-messages';
import { wireAmount } from '../platform/http/money';
import { cursorPageOf, pagingOf } from '../platform/http/paging';
import type { Viewer } from '../platform/http/request';
import type { Currency, Locale, Sent } from '../platform/http/schemas';
import type { BalanceLog, BalanceLogItem, BalanceLogQuery } from './wallet.schemas';

interface Posting {
  userId: number;
  currency: Currency;
  type: LedgerType;
  /** Signed minor units for the spendable and the frozen account. */
  available: number;
  frozen?: number;
  counter: 'cash' | 'sales' | 'adjustment';
  /** The related order, which may belong to another user. */
  orderId?: number;
  remark?: string;
  actor: string;
}

/** Moves money apart from purchases and payments; returns the balance after it. Throws BalanceTooLow. */
export function postToWallet(sql: Sql, posting: Posting): Promise<number> {
  const { userId, currency, type, available, frozen = 0, counter, orderId = null, remark = '', actor } = posting;
  return sql.value('select wallet_post($1, $2, $3, $4, $5, $6, $7, null, null, $8, $9)', [
    userId,
    currency,
    type,
    available,
    frozen,
    counter,
    orderId,
    remark,
    actor,
  ]);
}

interface LogRow extends Omit<Sent<BalanceLogItem>, 'order_no' | 'recharge_no'> {
  order_no: string | null;
  recharge_no: string | null;
}

const DAY_MS = 86_400_000;

export async function balanceLog(
  sql: Sql,
  viewer: Viewer,
  query: BalanceLogQuery,
  currency: Currency,
  locale: Locale,
): Promise<Sent<BalanceLog>> {
  const paging = pagingOf(query);
  const start = timeOf('start', query.start, locale);
  const end = timeOf('end', query.end, locale);
  const where = `e.user_id = $1 and e.account = 'available' and e.currency = $2 and ($3::integer is null or t.type = $3)
    and ($4::timestamptz is null or t.created_at >= $4) and ($5::timestamptz is null or t.created_at < $5)`;
  const values = [viewer.id, currency, query.type ?? null, start, end];
  const from = 'from ledger_entries e join ledger_transactions t on t.id = e.transaction_id';
  const rows = await sql.rows<LogRow>(
    `select e.id, t.type, ${wireAmount('e.amount')} as amount, ${wireAmount('e.balance_after')} as balance_after,
            ${wireAmount('e.frozen_after')} as frozen_after, e.currency, o.order_no, r.recharge_no, t.remark, t.created_at
       ${from} left join orders o on o.id = t.order_id and o.user_id = e.user_id left join recharges r on r.id = t.recharge_id
      where ${where} and ($8::bigint is null or e.id < $8) order by e.id desc limit $6 offset $7`,
    [...values, paging.limit + 1, paging.offset, paging.cursor],
  );
  const { total, ...summary } = await sql.one<BalanceLog['summary'] & { total: number }>(
    `select count(*) as total, ${wireAmount('coalesce(sum(e.amount) filter (where e.amount > 0), 0)')} as income,
            ${wireAmount('coalesce(-sum(e.amount) filter (where e.amount < 0), 0)')} as expense ${from} where ${where}`,
    values,
  );
  const itemOf = ({ order_no, recharge_no, ...row }: LogRow): Sent<BalanceLogItem> => ({
    ...row,
    ...(order_no && { order_no }),
    ...(recharge_no && { recharge_no }),
  });
  return { ...cursorPageOf(rows, total, paging, itemOf, (row) => String(row.id)), summary };
}

/** Parses a time or a day. A day as the start means its start; as the end, the start of the next day. */
function timeOf(field: 'start' | 'end', text: string | undefined, locale: Locale): Date | null {
  if (!text) return null;
  const date = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (Number.isNaN(date.getTime())) throw fieldError({ [field]: fieldText('pattern', locale) });
  return field === 'end' && text.length === 10 ? new Date(date.getTime() + DAY_MS) : date;
}
