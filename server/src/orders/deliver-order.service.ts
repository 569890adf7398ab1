import { ErrorCode, OrderStatus } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { addEntry, staffActor } from '../platform/audit/audit';
import type { Keyring } from '../platform/crypto/keyring';
import { RequestState } from '../platform/db/named-numbers';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';

export interface OrderHandle {
  id: number;
  order_no: string;
  user_id: number;
}

export interface SealedFields {
  goodsKey: string;
  specKey: string;
  fields: Record<string, string>;
  /** The buyer's answers to questions of staff, by the key of the masked fields; no supplier gets them. */
  answers?: Record<string, string>;
}

const addOrderEntry = (sql: Sql, { order_no, user_id }: OrderHandle, action: string, detail = {}) =>
  addEntry(sql, { ...staffActor(), action, subject: order_no, userId: user_id, detail });

/** Throws OrderNotFound. */
export async function orderForStaff(sql: Sql, orderNo: string): Promise<OrderHandle> {
  const order = await sql.row<OrderHandle>('select id, order_no, user_id from orders where order_no = $1 for update', [
    orderNo,
  ]);
  if (!order) throw new ShopError(ErrorCode.OrderNotFound);
  return order;
}

/** The buyer's fields, secrets included, for staff who top up by hand. The access is audited. */
export async function openFields(sql: Sql, keyring: Keyring, order: OrderHandle): Promise<Record<string, string>> {
  const row = await sql.one<{ fields_cipher: Buffer | null; fields_key: string }>(
    'select fields_cipher, fields_key from orders where id = $1',
    [order.id],
  );
  await addOrderEntry(sql, order, 'order.fields');
  if (!row.fields_cipher) return {};
  const { fields, answers } = JSON.parse(keyring.decrypt(row.fields_key, row.fields_cipher)) as SealedFields;
  return { ...fields, ...answers };
}

/**
 * Returns false if the order does not wait for delivery. `detail` goes to the audit log. Throws RefundWaits: an order that may be
 * refunded is not delivered.
 */
export async function deliverOrder(sql: Sql, order: OrderHandle, note: string, detail: object = {}): Promise<boolean> {
  if (await sql.value('select staff_refund_waits($1)', [order.id])) throw new ShopError(StaffErrorCode.RefundWaits);
  if (!(await sql.value("select order_deliver($1, $2, 'staff')", [order.id, note]))) return false;
  await addOrderEntry(sql, order, 'order.deliver', { note, ...detail });
  return true;
}

/**
 * Sends the buyer a notice with the question, which the buyer answers on the order's page. Repeating the same question asks once.
 * Throws WrongOrderState.
 */
export async function askBuyer(sql: Sql, order: OrderHandle, question: string): Promise<void> {
  if ((await openQuestion(sql, order.id)) === question) return;
  const inserted = await sql.run(
    `insert into order_events (order_id, kind, status, delivery_status, note, actor)
     select id, 'asked', status, delivery_status, $2, 'staff' from orders where id = $1 and status = ${OrderStatus.Paid}`,
    [order.id, question],
  );
  if (!inserted) throw new ShopError(ErrorCode.WrongOrderState);
  await addOrderEntry(sql, order, 'order.ask', { note: question });
}

export async function openQuestion(sql: Sql, orderId: number): Promise<string | undefined> {
  const latest = await sql.row<{ kind: string; note: string }>(
    "select kind, note from order_events where order_id = $1 and kind in ('asked', 'answered') order by id desc limit 1",
    [orderId],
  );
  return latest?.kind === 'asked' ? latest.note : undefined;
}

/** Throws WrongOrderState if no refund was requested. */
export async function refuseRefundRequest(sql: Sql, order: OrderHandle, reason: string): Promise<void> {
  const changed = await sql.run(
    "update orders set refund_state = 'refused' where id = $1 and refund_state = 'requested'",
    [order.id],
  );
  if (!changed) throw new ShopError(ErrorCode.WrongOrderState);
  await sql.run("select order_event($1, 'refund_refused', $2, 'staff')", [order.id, reason]);
  await addOrderEntry(sql, order, 'order.refuse-refund', { reason });
}

interface OpenRequest {
  tries: number;
  next_at: Date;
  detail: string;
}

/**
 * Throws SupplierRequestOpen, with the OpenRequest, while the supplier may still deliver and `notDelivered` is false. The caller
 * has locked the order.
 */
export async function endOpenRequest(sql: Sql, order: OrderHandle, notDelivered: boolean): Promise<void> {
  const open = await sql.row<OpenRequest>(
    `select tries, next_at, detail from supplier_requests where order_id = $1 and state = ${RequestState.Open} for update`,
    [order.id],
  );
  if (!open) return;
  if (!notDelivered) throw new ShopError(ErrorCode.SupplierRequestOpen, open);
  // The new lease invalidates a pending answer, which is then not booked; the supplier is asked later whether it delivered after all.
  await sql.run(
    `update supplier_requests set state = ${RequestState.Refused}, lease = lease + 1, tries = 0, detail = $2,
            next_at = clock_timestamp() + interval '10 minutes' where order_id = $1`,
    [order.id, 'not delivered, according to the staff'],
  );
  await addOrderEntry(sql, order, 'order.not-delivered');
}
