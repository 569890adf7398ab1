import type { Sql } from '../platform/db/sql';
import type { Texts } from '../platform/http/localised-text';
import type { Viewer } from '../platform/http/request';
import type { OrderRow } from './order-row';
import type { OrderInfo } from './orders.schemas';

export interface OrderDetail extends Omit<OrderRow, 'user_id' | 'user_coupon_id' | 'payment_id' | 'refunded_quantity'> {
  events: Array<{ at: string; kind: string; note: string }>;
  cards: number;
  payment_no: string | null;
  coupon: { id: number; name: Texts } | null;
  refunds: Array<Omit<OrderInfo['refunds'][number], 'amount'> & { amount: number }> | null;
}
const timeColumns = [
  'created_at',
  'expire_at',
  'closed_at',
  'paid_at',
  'held_until',
  'finished_at',
  'refund_requested_at',
  'refunded_at',
] as const;

/** Undefined for an unknown order and for another user's. */
export async function orderDetail(sql: Sql, viewer: Viewer, orderNo: string): Promise<OrderDetail | undefined> {
  const { order } = await sql.one<{ order: OrderDetail | null }>('select order_detail($1, $2) as order', [
    viewer.id,
    orderNo,
  ]);
  if (!order) return undefined;
  const times: Partial<Record<(typeof timeColumns)[number], Date | null>> = order;
  for (const column of timeColumns) if (times[column]) times[column] = new Date(times[column]);
  return order;
}
