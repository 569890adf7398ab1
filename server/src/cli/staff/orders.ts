import type { AppContext } from '../../context';
import { audit, orderByNo, StaffError } from './common';

export function waitingOrders({ db }: AppContext) {
  return db.rows(
    `select o.order_no, o.snapshot -> 'name' ->> 'zh-CN' as name, o.snapshot -> 'face_value' ->> 'zh-CN' as face_value,
            o.quantity, o.paid_at, o.refund_state, r.supplier, r.tries, r.detail,
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

/**
 * Refused while the supplier may still deliver; `notDelivered` says that the supplier has confirmed by other means that it did
 * and will not.
 */
export async function refund(
  { db }: AppContext,
  orderNo: string,
  reason: string,
  { notDelivered = false } = {},
): Promise<void> {
  await db.withTransaction(async (sql) => {
    const order = await orderByNo(sql, orderNo);
    await sql.one('select 1 from orders where id = $1 for update', [order.id]);
    const open = await sql.row<{ tries: number; next_at: Date; detail: string }>(
      'select tries, next_at, detail from supplier_requests where order_id = $1 and state = 1 for update',
      [order.id],
    );
    if (open && !notDelivered) throw new StaffError(openRequest(orderNo, open));
    // Claimed anew, so that an answer under way is not booked; the supplier is asked later whether it delivered after all.
    if (open)
      await sql.run(
        `update supplier_requests set state = 3, lease = lease + 1, tries = 0, detail = $2,
                next_at = clock_timestamp() + interval '10 minutes' where order_id = $1`,
        [order.id, 'not delivered, according to the staff'],
      );
    const { done } = await sql.one<{ done: boolean }>("select order_refund($1, $2, 'staff') as done", [
      order.id,
      reason,
    ]);
    if (!done) throw new StaffError(`Order ${orderNo} has nothing to refund.`);
    await audit(sql, 'order.refund', orderNo, { reason, ...(open ? { notDelivered } : {}) }, order.user_id);
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
