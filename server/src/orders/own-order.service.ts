import { ErrorCode, OrderStatus } from '@shop/shared/domain';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import type { Viewer } from '../platform/http/request';
import { CloseReason, type OrderRow } from './order-row';

/** The viewer's own order, closed first if it is overdue. Throws OrderNotFound for an unknown one and for another user's. */
export async function ownOrder(sql: Sql, viewer: Viewer, orderNo: string): Promise<OrderRow> {
  const find = () =>
    sql.row<OrderRow>('select * from orders where order_no = $1 and user_id = $2', [orderNo, viewer.id]);
  return closedIfOverdue(sql, await find(), find);
}

type Closable = Pick<OrderRow, 'id' | 'status' | 'closed_at' | 'expire_at'>;

/** `find` reads the order again if it had to be closed. Throws OrderNotFound if it finds none. */
export async function closedIfOverdue<T extends Closable>(
  sql: Sql,
  order: T | undefined,
  find: () => Promise<T | undefined>,
): Promise<T> {
  if (!order) throw new ShopError(ErrorCode.OrderNotFound);
  if (order.status !== OrderStatus.Unpaid || order.closed_at || order.expire_at > new Date()) return order;
  await sql.one('select order_close($1, $2, $3)', [order.id, CloseReason.Timeout, 'system']);
  return (await find()) ?? order;
}

export async function closeExpired(sql: Sql, userId: number): Promise<void> {
  await sql.rows(
    `select order_close(id, $2, 'system') from orders
      where user_id = $1 and status = ${OrderStatus.Unpaid} and closed_at is null and expire_at <= clock_timestamp()`,
    [userId, CloseReason.Timeout],
  );
}
