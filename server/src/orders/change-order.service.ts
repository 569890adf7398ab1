import { CloseReason, ErrorCode, OrderStatus } from '@shop/shared/domain';
import { onShelf } from '../catalogue/low-stock';
import type { Keyring } from '../platform/crypto/keyring';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import type { Viewer } from '../platform/http/request';
import { openQuestion, type SealedFields } from './deliver-order.service';
import { actionsOf, type MaskedField } from './order-row';
import { orderText } from './order-texts';
import type { OrderAgain, OrderState } from './orders.schemas';
import { headOf, ownOrder } from './read-orders.service';

export async function cancelOrder(sql: Sql, viewer: Viewer, orderNo: string): Promise<OrderState> {
  const order = await ownOrder(sql, viewer, orderNo);
  if (order.closed_at) throw new ShopError(ErrorCode.OrderClosed);
  if (!(await sql.value("select order_close($1, $2, 'user')", [order.id, CloseReason.User])))
    throw new ShopError(ErrorCode.WrongOrderState);
  return headOf(await ownOrder(sql, viewer, orderNo));
}

export async function deleteOrder(sql: Sql, viewer: Viewer, orderNo: string): Promise<OrderState> {
  const order = await ownOrder(sql, viewer, orderNo);
  if (!actionsOf(order).delete) throw new ShopError(ErrorCode.WrongOrderState);
  await sql.run('update orders set hidden_at = clock_timestamp() where id = $1 and hidden_at is null', [order.id]);
  return headOf(order);
}

export async function applyForRefund(sql: Sql, viewer: Viewer, orderNo: string, reason: string): Promise<OrderState> {
  const order = await ownOrder(sql, viewer, orderNo);
  // The event carries the status at the update, not at the read above: the order may be delivered in between.
  const changed = await sql.run(
    `with changed as (
       update orders set refund_state = 'requested', refund_reason = $2, refund_requested_at = clock_timestamp()
        where id = $1 and status in (${OrderStatus.Paid}, ${OrderStatus.Finished}) and refund_state = 'none'
        returning id, status, delivery_status)
     insert into order_events (order_id, kind, status, delivery_status, note, actor)
     select id, 'refund_requested', status, delivery_status, $2, 'user' from changed`,
    [order.id, reason],
  );
  if (!changed) throw new ShopError(ErrorCode.WrongOrderState);
  return headOf(await ownOrder(sql, viewer, orderNo));
}

/** Answers the open question of staff. The answer is encrypted with the order's fields and deleted with them. Throws WrongOrderState. */
export async function answerQuestion(
  sql: Sql,
  keyring: Keyring,
  viewer: Viewer,
  orderNo: string,
  answer: string,
): Promise<OrderState> {
  const { id } = await ownOrder(sql, viewer, orderNo);
  const order = await sql.one<{ status: number; fields_cipher: Buffer | null; fields_key: string }>(
    'select status, fields_cipher, fields_key from orders where id = $1 for update',
    [id],
  );
  if (order.status !== OrderStatus.Paid || !order.fields_cipher || (await openQuestion(sql, id)) === undefined)
    throw new ShopError(ErrorCode.WrongOrderState);
  const sealed = JSON.parse(keyring.decrypt(order.fields_key, order.fields_cipher)) as SealedFields;
  const key = `answer-${Object.keys(sealed.answers ?? {}).length + 1}`;
  const masked: MaskedField = {
    key,
    label: { 'zh-CN': orderText('answer', 'zh-CN'), en: orderText('answer', 'en') },
    value: '******',
    remember: false,
  };
  await sql.run(
    'update orders set fields_cipher = $2, fields_key = $3, fields_masked = fields_masked || $4::jsonb where id = $1',
    [
      id,
      keyring.encrypt(JSON.stringify({ ...sealed, answers: { ...sealed.answers, [key]: answer } })),
      keyring.currentId,
      JSON.stringify([masked]),
    ],
  );
  await sql.run("select order_event($1, 'answered', '', 'user')", [id]);
  return headOf(await ownOrder(sql, viewer, orderNo));
}

export async function orderAgain(sql: Sql, viewer: Viewer, orderNo: string): Promise<OrderAgain> {
  const order = await ownOrder(sql, viewer, orderNo);
  const goods = await sql.row<{ need_verify_account: boolean }>(
    `select g.need_verify_account from goods g left join goods_specs s on s.id = $2
      where g.id = $1 and ${onShelf('$3')} and coalesce(s.active, true)`,
    [order.goods_id, order.spec_id, viewer.isVip],
  );
  return {
    order_no: order.order_no,
    goods_id: order.goods_id,
    spec_id: order.spec_id,
    custom_value: order.custom_value,
    quantity: order.quantity,
    fields: Object.fromEntries(
      order.fields_masked.filter((field) => field.remember).map((field) => [field.key, field.value]),
    ),
    available: Boolean(goods),
    need_verify_account: goods?.need_verify_account ?? false,
    server_time: new Date().toISOString(),
  };
}
