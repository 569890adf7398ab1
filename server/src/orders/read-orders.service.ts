import { OrderStatus } from '@shop/shared/domain';
import type { Sql } from '../db/sql';
import { suffixOf, textOf } from '../http/localised-text';
import { maskPhone } from '../http/mask-phone';
import { formatAmount, toWire } from '../http/money';
import { pageOf, pagingOf } from '../http/paging';
import type { Viewer } from '../http/request';
import type { Locale, Page } from '../http/schemas';
import { actionsOf, type MaskedField, type OrderRow, refundState } from './order-row';
import { orderText } from './order-texts';
import type { OrderInfo, OrderListItem, OrderListQuery, OrderTab } from './orders.schemas';
import { closedIfOverdue, closeExpired } from './own-order.service';

type Head = Pick<
  OrderRow,
  | 'order_no'
  | 'status'
  | 'delivery_status'
  | 'recharge_type'
  | 'currency'
  | 'total_amount'
  | 'quantity'
  | 'created_at'
  | 'expire_at'
  | 'closed_at'
  | 'close_reason'
  | 'refund_state'
  | 'disputed'
>;

function headOf(order: Head) {
  return {
    order_no: order.order_no,
    status: order.status,
    delivery_status: order.delivery_status,
    recharge_type: order.recharge_type,
    currency: order.currency,
    total_amount: toWire(order.total_amount),
    quantity: order.quantity,
    created_at: order.created_at.toISOString(),
    expire_at: order.expire_at.toISOString(),
    closed_at: order.closed_at?.toISOString() ?? null,
    close_reason: order.close_reason,
    server_time: new Date().toISOString(),
    actions: actionsOf(order),
  };
}

const tabs: Record<OrderTab, string> = {
  all: 'true',
  unpaid: `status = ${OrderStatus.Unpaid} and closed_at is null`,
  processing: `status = ${OrderStatus.Paid}`,
  finished: `status = ${OrderStatus.Finished}`,
  refunded: `status = ${OrderStatus.Refunded}`,
  closed: 'closed_at is not null',
};

export async function orderList(
  sql: Sql,
  viewer: Viewer,
  query: OrderListQuery,
  locale: Locale,
): Promise<Page<OrderListItem>> {
  await closeExpired(sql, viewer.id);
  const paging = pagingOf(query);
  const keyword = query.keyword?.trim().toLowerCase() ?? '';
  const where = `user_id = $1 and hidden_at is null and ${tabs[query.tab ?? 'all']}
    and ($2 = '' or strpos(lower(order_no), $2) > 0 or strpos(lower(snapshot ->> 'name'), $2) > 0)`;
  const rows = await sql.rows<OrderRow>(`select * from orders where ${where} order by id desc limit $3 offset $4`, [
    viewer.id,
    keyword,
    paging.limit,
    paging.offset,
  ]);
  const { total } = await sql.one<{ total: number }>(`select count(*) as total from orders where ${where}`, [
    viewer.id,
    keyword,
  ]);
  const list = rows.map((order) => ({
    ...headOf(order),
    goods_id: order.goods_id,
    name: textOf(order.snapshot.name, locale),
    image: order.snapshot.image,
    face_value: textOf(order.snapshot.face_value, locale),
  }));
  return pageOf(list, total, paging);
}

const headColumns = `order_no, status, delivery_status, recharge_type, currency, total_amount, quantity, created_at, expire_at,
  closed_at, close_reason, refund_state, disputed`;

interface OrderDetail
  extends Head,
    Pick<
      OrderRow,
      | 'id'
      | 'goods_id'
      | 'spec_id'
      | 'custom_value'
      | 'unit_price'
      | 'original_amount'
      | 'coupon_discount'
      | 'snapshot'
      | 'fields_masked'
      | 'pay_method'
      | 'paid_at'
      | 'finished_at'
      | 'refund_reason'
      | 'refund_requested_at'
      | 'refunded_at'
      | 'refunded_amount'
    > {
  events: Array<{ at: string; kind: string; note: string }>;
  cards: number;
  payment_no: string | null;
  coupon: { id: number; name: string } | null;
  refunds: Array<{
    refund_no: string;
    amount: number;
    quantity: number;
    target: string;
    state: string;
    at: string;
  }> | null;
}
const timeColumns = [
  'created_at',
  'expire_at',
  'closed_at',
  'paid_at',
  'finished_at',
  'refund_requested_at',
  'refunded_at',
] as const;

/** Kinds of events whose note is an amount in minor units. */
const amountKinds = ['refunded_part', 'refunded_part_source', 'refund_returned'];

/** One value of JSON: to describe and read thirty columns costs the server more than their content. */
const detailStatement = (locale: Locale) => `select row_to_json(d) as detail from (
  select ${headColumns}, o.id, goods_id, spec_id, custom_value, unit_price, original_amount, coupon_discount, snapshot, fields_masked,
         pay_method, paid_at, finished_at, refund_reason, refund_requested_at, refunded_at, refunded_amount,
         (select json_agg(json_build_object('at', e.at, 'kind', e.kind, 'note', e.note) order by e.id)
            from order_events e where e.order_id = o.id) as events,
         (select count(*) from card_codes c where c.order_id = o.id and c.state = 2) as cards,
         (select json_agg(json_build_object('refund_no', r.refund_no, 'amount', r.amount, 'quantity', r.quantity, 'target', r.target,
             'state', ${refundState}, 'at', r.created_at) order by r.id) from order_refunds r where r.order_id = o.id) as refunds,
         (select p.payment_no from payments p where p.id = o.payment_id) as payment_no,
         (select json_build_object('id', c.id, 'name', c.name_${suffixOf(locale)})
            from user_coupons uc join coupons c on c.id = uc.coupon_id where uc.id = o.user_coupon_id) as coupon
    from orders o where order_no = $1 and user_id = $2) d`;
const detailStatements = { 'zh-CN': detailStatement('zh-CN'), en: detailStatement('en') } as const;

async function findDetail(sql: Sql, viewer: Viewer, orderNo: string, locale: Locale): Promise<OrderDetail | undefined> {
  const row = await sql.row<{ detail: OrderDetail }>(detailStatements[locale], [orderNo, viewer.id]);
  if (!row) return undefined;
  const { detail } = row;
  const times: Partial<Record<(typeof timeColumns)[number], Date | null>> = detail;
  for (const one of timeColumns) if (times[one]) times[one] = new Date(times[one]);
  return detail;
}

export async function orderInfo(sql: Sql, viewer: Viewer, orderNo: string, locale: Locale): Promise<OrderInfo> {
  const order = await closedIfOverdue(sql, () => findDetail(sql, viewer, orderNo, locale));
  const { snapshot } = order;
  return {
    ...headOf(order),
    unit_price: toWire(order.unit_price),
    original_amount: toWire(order.original_amount),
    coupon_discount: toWire(order.coupon_discount),
    snapshot: {
      goods_id: order.goods_id,
      spec_id: order.spec_id,
      custom_value: order.custom_value,
      name: textOf(snapshot.name, locale),
      image: snapshot.image,
      face_value: textOf(snapshot.face_value, locale),
      unit_price: toWire(order.unit_price),
      fields: order.fields_masked.map((field) => ({
        key: field.key,
        label: textOf(field.label, locale),
        value: field.option ? textOf(field.option, locale) : shownValue(field),
      })),
    },
    coupon: order.coupon,
    timeline: order.events.map(({ at, kind, note }) => ({
      at: new Date(at).toISOString(),
      kind,
      text:
        orderText(kind === 'closed' ? `closed_${note}` : kind, locale) +
        (amountKinds.includes(kind) ? ` ${formatAmount(Number(note), order.currency)}` : ''),
    })),
    payment:
      order.paid_at && order.pay_method
        ? {
            method: order.pay_method,
            name: orderText(order.pay_method, locale),
            payment_no: order.payment_no,
            amount: toWire(order.total_amount),
            paid_at: order.paid_at.toISOString(),
          }
        : null,
    refund:
      order.refund_state === 'none'
        ? null
        : {
            state: order.refund_state,
            amount: toWire(order.total_amount),
            reason: order.refund_reason,
            requested_at: order.refund_requested_at?.toISOString() ?? null,
            refunded_at: order.refunded_at?.toISOString() ?? null,
          },
    disputed: order.disputed,
    refunded_amount: toWire(order.refunded_amount),
    refunds: (order.refunds ?? []).map(({ amount, at, ...refund }) => ({
      ...refund,
      amount: toWire(amount),
      at: new Date(at).toISOString(),
    })),
    cards_count: order.cards,
    paid_at: order.paid_at?.toISOString() ?? null,
    finished_at: order.finished_at?.toISOString() ?? null,
  };
}

/** Passwords are stored masked; a phone is stored whole, for "buy again". */
const shownValue = ({ key, value }: MaskedField) => (/phone|mobile/i.test(key) ? maskPhone(value) : value);
