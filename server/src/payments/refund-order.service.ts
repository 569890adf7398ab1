import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { AppContext } from '../context';
import { endOpenRequest } from '../orders/deliver-order.service';
import { refundState } from '../orders/order-row';
import { addEntry, staffActor } from '../platform/audit/audit';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import type { Currency } from '../platform/http/schemas';
import { sendRefunds } from './provider-calls.service';

export interface OrderRefundRequest {
  order_no: string;
  /** Minor units. */
  amount?: number | null;
  /** Units of the goods, at their share of the paid amount. Without units and amount, the rest is refunded. */
  quantity?: number | null;
  /** Ids of the codes to refund; by default the last ones. */
  codes?: number[] | null;
  /** source: the wallet passes the money on to the source of the order's payment. */
  target: 'wallet' | 'source';
  reason: string;
  /** Repeating a number repeats the same refund. */
  refund_no: string;
  /** The supplier has confirmed otherwise that it did not and will not deliver; the refund ends its open request. */
  not_delivered?: boolean;
  revealed_ok?: boolean;
}
export interface OrderRefund {
  refund_no: string;
  amount: number;
  quantity: number;
  currency: Currency;
  target: 'wallet' | 'source';
  /** returned: the provider refused, and the wallet has the money. */
  state: 'done' | 'pending' | 'returned';
}

/** How often the buyer has seen the order's codes. Throws CodesRevealed, with when and how often, unless `revealedOk`. */
async function revealsOf(sql: Sql, orderNo: string, revealedOk: boolean): Promise<number> {
  const { first, times } = await sql.one<{ first: Date | null; times: number }>(
    "select min(at) as first, count(*) as times from audit_log where action = 'cards.reveal' and subject = $1",
    [orderNo],
  );
  if (first && !revealedOk) throw new ShopError(StaffErrorCode.CodesRevealed, { first: first.toISOString(), times });
  return times;
}

/**
 * Books a full or partial refund of an order; call sendOrderRefund once the transaction is committed. Throws OrderNotFound,
 * WrongOrderState (not paid), OrderDisputed, SupplierRequestOpen (with the OpenRequest), RefundTooLarge, PaymentMethodUnavailable
 * (no source to pay back to), IdempotencyKeyReused (another refund has the number) and CodesRevealed. The caller checks who may
 * refund alone (backoffice/api/src/people/approvals.ts). `actor` is in the order's timeline and the ledger; the audit log names the
 * staff member.
 */
export async function refundOrder(
  { providers }: Pick<AppContext, 'providers'>,
  sql: Sql,
  request: OrderRefundRequest,
  actor: 'staff' | 'job' = 'staff',
) {
  const { order_no, amount = null, quantity = null, codes = null, target, reason, refund_no } = request;
  const order = await sql.row<{
    id: number;
    user_id: number;
    currency: Currency;
    payment_no: string | null;
    method: string | null;
  }>(
    `select o.id, o.user_id, o.currency, p.payment_no, p.method from orders o left join payments p on p.id = o.payment_id
      where o.order_no = $1 for update of o`,
    [order_no],
  );
  if (!order) throw new ShopError(ErrorCode.OrderNotFound);
  if (target === 'source' && !providers.payments.find((provider) => provider.code === order.method)?.remote)
    throw new ShopError(ErrorCode.PaymentMethodUnavailable);
  const isRepeat = Boolean(await sql.row('select 1 from order_refunds where refund_no = $1', [refund_no]));
  // The order is locked, so no code is shown from here on.
  if (!isRepeat) await endOpenRequest(sql, { ...order, order_no }, request.not_delivered ?? false);
  const shown = await revealsOf(sql, order_no, request.revealed_ok || isRepeat);
  const booked = await sql.value<number>('select amount from order_refund_part($1, $2, $3, $4, $5, $6, $7, $8)', [
    order.id,
    refund_no,
    amount,
    quantity,
    target,
    reason,
    actor,
    codes,
  ]);
  if (!isRepeat) {
    if (target === 'source' && booked > 0)
      await sql.run('select payment_refund_start($1, $2, $3, $4, $5)', [
        order.payment_no,
        refund_no,
        booked,
        reason,
        actor,
      ]);
    await addEntry(sql, {
      ...(actor === 'staff' ? staffActor() : { actor }),
      action: 'order.refund',
      subject: order_no,
      detail: { refund_no, amount: booked, quantity, target, reason, codes_shown: shown },
      userId: order.user_id,
    });
  }
  const refunded = await sql.value<number>('select refunded_amount from orders where id = $1', [order.id]);
  return { amount: booked, currency: order.currency, refunded, isRepeat };
}

export async function sendOrderRefund(context: AppContext, refundNo: string): Promise<OrderRefund> {
  // The job asks a provider again that does not answer.
  await sendRefunds(context, refundNo).catch(() => {});
  return context.db.one<OrderRefund>(
    `select r.refund_no, r.amount, r.quantity, o.currency, r.target, ${refundState} as state
       from order_refunds r join orders o on o.id = r.order_id where r.refund_no = $1`,
    [refundNo],
  );
}
