import { CloseReason } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { RISK_REASON } from '../orders/order-texts';
import { refundOrder, sendOrderRefund } from '../payments/refund-order.service';
import { tryAll } from '../platform/db/batches';
import type { Sql } from '../platform/db/sql';

const BATCH = 200;

interface HeldOrder {
  id: number;
  order_no: string;
  user_id: number;
  method: string | null;
  wants_refund: boolean;
  is_refunded: boolean;
}

export async function endHolds(context: AppContext): Promise<number> {
  const { db } = context;
  const due = await db.rows<HeldOrder>(
    `select o.id, o.order_no, o.user_id, p.method, o.refund_state = 'requested' as wants_refund,
            o.refund_state = 'requested' or exists (select 1 from hold_settings where at_end = 'refund') as is_refunded
       from orders o left join payments p on p.id = o.payment_id
      where o.held_until <= clock_timestamp() and not o.disputed and not staff_refund_waits(o.id)
        and not exists (select 1 from payment_disputes where payment_id = o.payment_id and state = 'lost')
      order by o.held_until limit ${BATCH}`,
  );
  return tryAll(
    due.map((order) => async () => {
      const isDone = order.is_refunded ? await refundHeld(context, order) : await releaseHeld(db, order.id, 'job');
      return Number(isDone);
    }),
  );
}

/** Returns false if the order is no longer on hold, or must wait (order_release). */
export const releaseHeld = (sql: Sql, orderId: number, actor: 'staff' | 'job'): Promise<boolean> =>
  sql.value('select order_release($1, $2)', [orderId, actor]);

/** Target of a refund of an order on hold. Money goes back to the payer, who may not be the buyer. */
export const sourceOf = ({ providers }: Pick<AppContext, 'providers'>, method: string | null): 'wallet' | 'source' =>
  providers.payments.find((provider) => provider.code === method)?.remote ? 'source' : 'wallet';

/**
 * A refund that the buyer asked for keeps the buyer's reason and does not mention a risk. Returns false if someone has decided meanwhile.
 */
async function refundHeld(context: AppContext, order: HeldOrder): Promise<boolean> {
  const { id, order_no, user_id, method, wants_refund } = order;
  const refund_no = `hold-${order_no}`;
  const isDone = await context.db.withTransaction(async (sql) => {
    const row = await sql.row(
      'select 1 from orders where id = $1 and held_until is not null and not disputed and not staff_refund_waits(id) for update',
      [id],
    );
    if (!row) return false;
    const request = { order_no, target: sourceOf(context, method), refund_no, reason: wants_refund ? '' : RISK_REASON };
    await refundOrder(context, sql, request, 'job');
    if (!wants_refund) await closeOpenOrders(sql, user_id, 'job');
    return true;
  });
  if (isDone) await sendOrderRefund(context, refund_no);
  return isDone;
}

export const closeOpenOrders = (sql: Sql, userId: number, actor: 'staff' | 'job') =>
  sql.rows(
    `select order_close(id, ${CloseReason.Risk}, $2) from (
       select id from orders where user_id = $1 and status = 10 and closed_at is null order by id for update) open`,
    [userId, actor],
  );
