import { ErrorCode } from '@shop/shared/domain';
import { staffActor } from '../../audit/audit';
import type { AppContext } from '../../context';
import { messageOf, shopErrorOf } from '../../http/errors';
import { fromWire, toWire } from '../../http/money';
import { CodesRevealedError, refundOrder } from '../../payments/refund-order.service';
import { audit, orderByNo, StaffError } from './common';

export function waitingOrders({ db }: AppContext) {
  return db.rows(
    `select o.order_no, o.snapshot -> 'name' ->> 'zh-CN' as name, o.snapshot -> 'face_value' ->> 'zh-CN' as face_value,
            o.quantity, o.paid_at, o.refund_state, r.supplier, r.tries, r.detail,
            (select min(at) from audit_log where action = 'cards.reveal' and subject = o.order_no) as codes_shown,
            (array['to send', 'open', 'delivered', 'refused', 'delivered after the refund'])[r.state + 1] as request
       from orders o left join supplier_requests r on r.order_id = o.id
      where o.status = 12 or o.refund_state = 'requested' or r.state = 4 order by o.paid_at limit 200`,
  );
}

/** What the buyer filled in, secrets too, for the operator who tops up by hand. The look is on record. */
export async function orderFields({ db, keyring }: AppContext, orderNo: string): Promise<Record<string, string>> {
  return db.withTransaction(async (sql) => {
    const { id } = await orderByNo(sql, orderNo);
    const row = await sql.one<{ fields_cipher: Buffer | null; fields_key: string }>(
      'select fields_cipher, fields_key from orders where id = $1',
      [id],
    );
    await audit(sql, 'order.fields', orderNo);
    if (!row.fields_cipher) return {};
    return (JSON.parse(keyring.decrypt(row.fields_key, row.fields_cipher)) as { fields: Record<string, string> })
      .fields;
  });
}

export async function deliver({ db }: AppContext, orderNo: string, note: string): Promise<void> {
  await db.withTransaction(async (sql) => {
    const order = await orderByNo(sql, orderNo);
    const { done } = await sql.one<{ done: boolean }>("select order_deliver($1, $2, 'staff') as done", [
      order.id,
      note,
    ]);
    if (!done) throw new StaffError(`Order ${orderNo} is not waiting for delivery.`);
    await audit(sql, 'order.deliver', orderNo, { note }, order.user_id);
  });
}

export interface RefundOptions {
  /** The supplier has confirmed by other means that it did not and will not deliver. */
  notDelivered?: boolean;
  amount?: string;
  quantity?: string;
  to?: string;
  /** The same key again is the same refund. */
  key?: string;
  /** Although the buyer has seen its codes. */
  revealedOk?: boolean;
}

/** Answers what was refunded. Refused while the supplier may still deliver. */
export async function refund(
  context: AppContext,
  orderNo: string,
  reason: string,
  options: RefundOptions = {},
): Promise<string> {
  const { to = 'wallet', key } = options;
  const amount = options.amount === undefined ? undefined : fromWire(options.amount);
  const quantity = options.quantity === undefined ? undefined : Number(options.quantity);
  if (options.amount !== undefined && !amount) throw new StaffError(`"${options.amount}" is not an amount like 12.34.`);
  if (quantity !== undefined && !(Number.isInteger(quantity) && quantity > 0))
    throw new StaffError(`"${options.quantity}" is not a number of units.`);
  if (amount && quantity) throw new StaffError('Either --amount or --quantity.');
  if (to !== 'wallet' && to !== 'source') throw new StaffError(`"${to}" is none of wallet, source.`);
  if (key !== undefined && !/^[\w-]{8,40}$/.test(key))
    throw new StaffError('A key has 8 to 40 letters, digits, - or _.');
  await endOpenRequest(context, orderNo, options.notDelivered ?? false);
  const done = await refundOrder(context, {
    orderNo,
    amount,
    quantity,
    target: to,
    reason,
    actor: 'staff',
    by: staffActor().actor,
    refundNo: key,
    revealedOk: options.revealedOk ?? false,
  }).catch((error) => {
    if (error instanceof CodesRevealedError) throw new StaffError(revealed(orderNo, error));
    const code = shopErrorOf(error)?.code;
    throw code ? new StaffError(refundFaults(orderNo)[code] ?? messageOf(code, 'en')) : error;
  });
  const where = {
    wallet: 'to the wallet',
    pending: 'to the source; the shop asks the provider until it is done',
    done: 'to the source',
    returned: 'to the wallet, because the provider refused',
  }[done.target === 'wallet' ? 'wallet' : done.state];
  return `Refunded ${toWire(done.amount)} ${done.currency} ${where}, as ${done.refund_no}.`;
}

const revealed = (orderNo: string, { first, times }: CodesRevealedError) =>
  `Not refunded: the buyer has seen the codes of order ${orderNo}, first on ${first.toISOString()}, ${times} time(s) in all, and may have used them. Have the issuer void them if it can, then add --revealed-ok.`;

const refundFaults = (orderNo: string): Partial<Record<number, string>> => ({
  [ErrorCode.OrderNotFound]: `There is no order ${orderNo}.`,
  [ErrorCode.WrongOrderState]: `Order ${orderNo} has nothing to refund.`,
  [ErrorCode.OrderDisputed]: `The payment of order ${orderNo} is disputed: the provider decides where its money goes.`,
  [ErrorCode.RefundTooLarge]: `That is more than is left of order ${orderNo}.`,
  [ErrorCode.PaymentMethodUnavailable]: `Order ${orderNo} was not paid by a method that can pay back: refund to the wallet.`,
  [ErrorCode.IdempotencyKeyReused]: 'This key belongs to another refund.',
});

/** Throws StaffError while the supplier may still deliver, unless it has confirmed that it will not. */
async function endOpenRequest({ db }: AppContext, orderNo: string, notDelivered: boolean): Promise<void> {
  await db.withTransaction(async (sql) => {
    const order = await orderByNo(sql, orderNo);
    await sql.one('select 1 from orders where id = $1 for update', [order.id]);
    const open = await sql.row<{ tries: number; next_at: Date; detail: string }>(
      'select tries, next_at, detail from supplier_requests where order_id = $1 and state = 1 for update',
      [order.id],
    );
    if (!open) return;
    if (!notDelivered) throw new StaffError(openRequest(orderNo, open));
    // Claimed anew, so that a pending answer is not booked; the supplier is asked later whether it delivered after all.
    await sql.run(
      `update supplier_requests set state = 3, lease = lease + 1, tries = 0, detail = $2,
              next_at = clock_timestamp() + interval '10 minutes' where order_id = $1`,
      [order.id, 'not delivered, according to the staff'],
    );
    await audit(sql, 'order.not-delivered', orderNo, {}, order.user_id);
  });
}

const openRequest = (orderNo: string, request: { tries: number; next_at: Date; detail: string }) =>
  `Not refunded: the supplier may still deliver order ${orderNo}. It was asked ${request.tries} time(s) (${request.detail || 'no answer yet'}) and will be asked again at ${request.next_at.toISOString()}; a refusal refunds by itself. If the supplier has confirmed that it did not and will not deliver, add --not-delivered.`;

export async function refuseRefund({ db }: AppContext, orderNo: string, reason: string): Promise<void> {
  await db.withTransaction(async (sql) => {
    const order = await orderByNo(sql, orderNo);
    const changed = await sql.run(
      "update orders set refund_state = 'refused' where id = $1 and refund_state = 'requested'",
      [order.id],
    );
    if (!changed) throw new StaffError(`No refund was asked for order ${orderNo}.`);
    await sql.run(
      `insert into order_events (order_id, kind, status, delivery_status, note, actor)
       select id, 'refund_refused', status, delivery_status, $2, 'staff' from orders where id = $1`,
      [order.id, reason],
    );
    await audit(sql, 'order.refuse-refund', orderNo, { reason }, order.user_id);
  });
}
