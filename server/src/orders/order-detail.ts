import { CardState } from '../platform/db/named-numbers';
import type { Sql } from '../platform/db/sql';
import type { Texts } from '../platform/http/localised-text';
import type { Viewer } from '../platform/http/request';
import { type OrderRow, refundState } from './order-row';
import type { OrderInfo } from './orders.schemas';

export interface OrderDetail extends OrderRow {
  events: Array<{ at: string; kind: string; note: string }>;
  cards: number;
  payment_no: string | null;
  coupon: { id: number; name: Texts } | null;
  refunds: Array<Omit<OrderInfo['refunds'][number], 'amount'> & { amount: number }> | null;
}

/** Undefined for an unknown order and for another user's. */
export const orderDetail = (sql: Sql, viewer: Viewer, orderNo: string): Promise<OrderDetail | undefined> =>
  sql.row<OrderDetail>(
    `select o.*,
            (select json_agg(json_build_object('at', e.at, 'kind', e.kind, 'note', e.note) order by e.id)
               from order_events e where e.order_id = o.id) as events,
            coalesce(nullif((select count(*) from card_codes c where c.order_id = o.id and c.state = ${CardState.Sold}), 0),
              (select count(*) from shared_code_orders d
                where d.order_id = o.id and d.text_id is not null and o.refunded_quantity < o.quantity)) as cards,
            (select json_agg(json_build_object('refund_no', r.refund_no, 'amount', r.amount, 'quantity', r.quantity,
                'target', r.target, 'state', ${refundState}, 'at', r.created_at) order by r.id)
               from order_refunds r where r.order_id = o.id) as refunds,
            (select p.payment_no from payments p where p.id = o.payment_id) as payment_no,
            (select json_build_object('id', c.id, 'name', json_build_object('zh-CN', c.name_zh, 'en', c.name_en))
               from user_coupons uc join coupons c on c.id = uc.coupon_id where uc.id = o.user_coupon_id) as coupon
       from orders o where o.order_no = $1 and o.user_id = $2`,
    [orderNo, viewer.id],
  );
