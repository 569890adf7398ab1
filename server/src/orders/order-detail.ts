import { type FoundSession, recordUse, type SessionUser } from '../accounts/auth/session-lookup';
import { SharedStatement } from '../platform/db/shared-statement';
import type { Sql } from '../platform/db/sql';
import type { Texts } from '../platform/http/localised-text';
import type { OrderRow } from './order-row';
import type { OrderInfo } from './orders.schemas';

export interface OrderDetail extends Omit<OrderRow<string>, 'user_id'> {
  events: Array<{ at: string; kind: string; note: string }>;
  cards: number;
  payment_no: string | null;
  coupon: { id: number; name: Texts } | null;
  refunds: Array<Omit<OrderInfo['refunds'][number], 'amount'> & { amount: number }> | null;
}

const statement = `
  select s.*, order_detail(s.id, w.order_no) as detail
    from unnest($1::bytea[], $2::text[]) with ordinality as w (token_hash, order_no, n)
    left join sessions_known($1, $3) s on s.token_hash = w.token_hash order by n`;

interface OrderQuestion {
  tokenHash: Buffer;
  orderNo: string;
}
interface OrderOfSession {
  /** undefined for an unknown token and for a session that has ended. */
  session: SessionUser | undefined;
  /** undefined for an unknown order and for another user's. */
  order: OrderDetail | undefined;
}

/** Finds the session of a token and an order of its user in one statement, which concurrent requests share. */
export class OrderLookup extends SharedStatement<OrderQuestion, OrderOfSession> {
  constructor(sql: Sql, idleSeconds: number) {
    super(async (questions) => {
      const rows = await sql.rows<(FoundSession & { detail: OrderDetail | null }) | { id: null; detail: null }>(
        statement,
        [questions.map((question) => question.tokenHash), questions.map((question) => question.orderNo), idleSeconds],
      );
      recordUse(
        sql,
        rows.filter((row) => row.id !== null),
      );
      return rows.map((row) => ({
        session: row.id === null ? undefined : row,
        order: row.detail ?? undefined,
      }));
    });
  }
}
