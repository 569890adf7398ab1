import type { AppContext } from '../../context';
import { audit, orderByNo, StaffError } from './common';

export function waitingOrders({ db }: AppContext) {
  return db.rows(
    `select o.order_no, o.snapshot -> 'name' ->> 'zh-CN' as name, o.snapshot -> 'face_value' ->> 'zh-CN' as face_value,
            o.quantity, o.paid_at, o.refund_state, r.supplier, r.tries, r.detail
       from orders o left join supplier_requests r on r.order_id = o.id
      where o.status = 12 or o.refund_state = 'requested' order by o.paid_at limit 200`,
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
    await sql.run('update supplier_requests set state = 2 where order_id = $1 and state in (0, 1)', [order.id]);
    await audit(sql, 'order.deliver', orderNo, { note }, order.user_id);
  });
}

export async function refund({ db }: AppContext, orderNo: string, reason: string): Promise<void> {
  await db.withTransaction(async (sql) => {
    const order = await orderByNo(sql, orderNo);
    const { done } = await sql.one<{ done: boolean }>("select order_refund($1, $2, 'staff') as done", [
      order.id,
      reason,
    ]);
    if (!done) throw new StaffError(`Order ${orderNo} has nothing to refund.`);
    await sql.run('update supplier_requests set state = 3 where order_id = $1 and state in (0, 1)', [order.id]);
    await audit(sql, 'order.refund', orderNo, { reason }, order.user_id);
  });
}

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
