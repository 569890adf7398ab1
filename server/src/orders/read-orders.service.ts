import { CloseReason, ErrorCode, OrderStatus, RechargeType } from '@shop/shared/domain';
import { plainText } from '@shop/shared/domain/plain-text';
import { type FoundSession, recordUse, type SessionUser } from '../accounts/auth/session-lookup';
import { onShelf, stockMark } from '../catalogue/low-stock';
import { SharedStatement } from '../platform/db/shared-statement';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import { type Texts, textOf } from '../platform/http/localised-text';
import { toWire } from '../platform/http/money';
import { cursorPageOf, pagingOf } from '../platform/http/paging';
import type { RequestLocale, Viewer } from '../platform/http/request';
import type { Locale, Page } from '../platform/http/schemas';
import { actionsOf, type OrderRow, shownValue } from './order-row';
import { eventText, orderText, partLabel, RISK_REASON } from './order-texts';
import type { OrderInfo, OrderListItem, OrderListQuery, OrderTab, RecentOrder } from './orders.schemas';

export interface OrderDetail extends OrderRow<string> {
  events: Array<{ at: string; kind: string; note: string }>;
  cards: number;
  payment_no: string | null;
  coupon: { id: number; name: Texts } | null;
  refunds: Array<Omit<OrderInfo['refunds'][number], 'amount'> & { amount: number }> | null;
}

const statement = `
  select s.*, order_detail(s.id, w.order_no) as detail
    from unnest($1::bytea[], $2::text[]) with ordinality as w (token_hash, order_no, n)
    left join sessions_known($1, $3) s on s.token_hash = w.token_hash order by n`;

interface OrderQuestion {
  tokenHash: Buffer;
  orderNo: string;
}
interface OrderOfSession {
  /** undefined for an unknown token and for a session that has ended. */
  session: SessionUser | undefined;
  /** undefined for an unknown order and for another user's. */
  order: OrderDetail | undefined;
}

/** Finds the session of a token and an order of its user in one statement, which concurrent requests share. */
export class OrderLookup extends SharedStatement<OrderQuestion, OrderOfSession> {
  constructor(sql: Sql, idleSeconds: number) {
    super(async (questions) => {
      const rows = await sql.rows<(FoundSession & { detail: OrderDetail | null }) | { id: null; detail: null }>(
        statement,
        [questions.map((question) => question.tokenHash), questions.map((question) => question.orderNo), idleSeconds],
      );
      recordUse(
        sql,
        rows.filter((row) => row.id !== null),
      );
      return rows.map((row) => ({
        session: row.id === null ? undefined : row,
        order: row.detail ?? undefined,
      }));
    });
  }
}

/** The viewer's own order, closed first if it is overdue. Throws OrderNotFound for an unknown one and for another user's. */
export async function ownOrder(sql: Sql, viewer: Viewer, orderNo: string): Promise<OrderRow> {
  const find = () =>
    sql.row<OrderRow>('select * from orders where order_no = $1 and user_id = $2', [orderNo, viewer.id]);
  return closedIfOverdue(sql, await find(), find);
}

type Time = Date | string;
type Closable = Pick<OrderRow<Time>, 'id' | 'status' | 'closed_at' | 'expire_at'>;
const iso = (time: Time) => new Date(time).toISOString();

/** `find` reads the order again if it had to be closed. Throws OrderNotFound if it finds none. */
async function closedIfOverdue<T extends Closable>(
  sql: Sql,
  order: T | undefined,
  find: () => Promise<T | undefined>,
): Promise<T> {
  if (!order) throw new ShopError(ErrorCode.OrderNotFound);
  if (order.status !== OrderStatus.Unpaid || order.closed_at || new Date(order.expire_at) > new Date()) return order;
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

export function headOf(order: OrderRow | OrderDetail) {
  return {
    order_no: order.order_no,
    status: order.status,
    delivery_status: order.delivery_status,
    recharge_type: order.recharge_type,
    currency: order.currency,
    total_amount: toWire(order.total_amount),
    quantity: order.quantity,
    created_at: iso(order.created_at),
    expire_at: iso(order.expire_at),
    closed_at: order.closed_at && iso(order.closed_at),
    close_reason: order.close_reason,
    held: holdOf(order),
    refund_state: order.refund_state,
    server_time: new Date().toISOString(),
    actions: actionsOf(order),
  };
}

const shownGoods = ({ goods_id, snapshot }: Pick<OrderRow, 'goods_id' | 'snapshot'>, locale: Locale) => ({
  goods_id,
  name: textOf(snapshot.name, locale),
  image: snapshot.image,
  face_value: textOf(snapshot.face_value, locale),
});

const holdOf = ({ held_until, paid_at }: Pick<OrderRow<Time>, 'held_until' | 'paid_at'>) =>
  held_until && paid_at
    ? { until: iso(held_until), minutes: Math.round((Date.parse(iso(held_until)) - Date.parse(iso(paid_at))) / 60_000) }
    : null;

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
  const keyword = plainText(query.keyword ?? '').toLowerCase();
  const where = `user_id = $1 and hidden_at is null and ${tabs[query.tab ?? 'all']}
    and ($2 = '' or strpos(lower(order_no), nullif(translate($2, ' -', ''), '')) > 0 or strpos(lower(snapshot ->> 'name'), $2) > 0)`;
  const isOwn = 'select 1 from orders where order_no = $1 and user_id = $2';
  if (paging.cursor !== null && !(await sql.row(isOwn, [paging.cursor, viewer.id])))
    throw new ShopError(ErrorCode.OrderNotFound);
  const rows = await sql.rows<OrderRow>(
    `select * from orders where ${where}
        and ($5::text is null or id < (select id from orders where order_no = $5 and user_id = $1)) order by id desc limit $3 offset $4`,
    [viewer.id, keyword, paging.limit + 1, paging.offset, paging.cursor],
  );
  const total = await sql.value<number>(`select count(*) from orders where ${where}`, [viewer.id, keyword]);
  const itemOf = (order: OrderRow): OrderListItem => ({ ...headOf(order), ...shownGoods(order, locale) });
  return cursorPageOf(rows, total, paging, itemOf, (order) => order.order_no);
}

function latePayment({ events }: OrderDetail): Pick<OrderInfo, 'late_payment'> {
  const late = events.filter(({ kind }) => kind === 'paid_late');
  const last = late.at(-1);
  if (!last) return {};
  const amount = late.reduce((sum, { note }) => sum + Number(note), 0);
  return { late_payment: { amount: toWire(amount), at: iso(last.at) } };
}

export async function orderInfo(
  sql: Sql,
  row: OrderDetail | undefined,
  find: () => Promise<OrderDetail | undefined>,
  { locale, tells }: { locale: Locale; tells: boolean },
): Promise<OrderInfo> {
  const order = await closedIfOverdue(sql, row, find);
  const { snapshot } = order;
  return {
    ...headOf(order),
    ...(tells && !order.paid_at && !order.closed_at && order.recharge_type !== RechargeType.CardCode && { tells }),
    unit_price: toWire(order.unit_price),
    ...(snapshot.price && {
      price: {
        list_amount: toWire(snapshot.price.list_amount),
        parts: snapshot.price.parts.map((part) => ({
          kind: part.kind,
          label: partLabel(part, locale),
          amount: toWire(-part.amount),
        })),
      },
    }),
    original_amount: toWire(order.original_amount),
    coupon_discount: toWire(order.coupon_discount),
    snapshot: {
      ...shownGoods(order, locale),
      spec_id: order.spec_id,
      custom_value: order.custom_value,
      unit_price: toWire(order.unit_price),
      fields: order.fields_masked.map((field) => ({
        key: field.key,
        label: textOf(field.label, locale),
        value: shownValue(field, locale),
      })),
    },
    coupon: order.coupon && { id: order.coupon.id, name: textOf(order.coupon.name, locale) },
    timeline: order.events.map(({ at, kind, note }) => ({
      at: iso(at),
      kind,
      text: eventText(kind, note, order.currency, locale),
    })),
    payment:
      order.paid_at && order.pay_method
        ? {
            method: order.pay_method,
            name: orderText(order.pay_method, locale),
            payment_no: order.payment_no,
            amount: toWire(order.total_amount),
            paid_at: iso(order.paid_at),
          }
        : null,
    ...latePayment(order),
    refund:
      order.refund_state === 'none'
        ? null
        : {
            state: order.refund_state,
            amount: toWire(order.total_amount),
            reason: order.refund_reason === RISK_REASON ? orderText(RISK_REASON, locale) : order.refund_reason,
            requested_at: order.refund_requested_at && iso(order.refund_requested_at),
            refunded_at: order.refunded_at && iso(order.refunded_at),
          },
    disputed: order.disputed,
    refunded_amount: toWire(order.refunded_amount),
    refunds: (order.refunds ?? []).map(({ amount, at, ...refund }) => ({
      ...refund,
      amount: toWire(amount),
      at: iso(at),
    })),
    cards_count: order.cards,
    paid_at: order.paid_at && iso(order.paid_at),
    finished_at: order.finished_at && iso(order.finished_at),
  };
}

const MAX_RECENT = 8;
const SEARCHED_ORDERS = 60;

type RecentRow = Pick<OrderRow, 'order_no' | 'goods_id' | 'quantity' | 'snapshot' | 'fields_masked'> & {
  amount: number | null;
  available: boolean;
};

export async function recentOrders(
  sql: Sql,
  viewer: Viewer,
  { locale, currency }: RequestLocale,
): Promise<RecentOrder[]> {
  const rows = await sql.rows<RecentRow>(
    `select r.order_no, r.goods_id, r.quantity, r.snapshot, r.fields_masked,
            coalesce(
              case when exists (select 1 from price_steps where spec_id = r.spec_id) or exists (select 1 from levels where active) then
                (select amount from order_price(order_terms(r.goods_id, r.spec_id, $2, $3, $1), r.custom_value, r.quantity)) end,
              p.price * coalesce(r.custom_value, 1) * r.quantity) as amount,
            ${onShelf('$3')} and p.price is not null
              and (s.id is null or (s.active and ${stockMark} > 0))
              and (r.custom_value is null or r.custom_value between g.custom_min and g.custom_max) as available
       from (select * from (
               select distinct on (goods_id, spec_id, custom_value, fields_masked) * from (
                 select id, order_no, goods_id, spec_id, custom_value, quantity, snapshot, fields_masked from orders
                  where user_id = $1 and hidden_at is null and status in (${OrderStatus.Paid}, ${OrderStatus.Finished}) order by id desc limit ${SEARCHED_ORDERS}) latest
                order by goods_id, spec_id, custom_value, fields_masked, id desc) different
              order by id desc limit ${MAX_RECENT}) r
       join goods g on g.id = r.goods_id
       left join goods_specs s on s.id = r.spec_id
       left join prices p on p.goods_id = r.goods_id and p.currency = $2 and p.spec_id is not distinct from r.spec_id
      order by r.id desc`,
    [viewer.id, currency, viewer.isVip],
  );
  return rows.map(({ snapshot, fields_masked, amount, ...row }) => ({
    ...row,
    ...shownGoods({ ...row, snapshot }, locale),
    account: fields_masked
      .filter((field) => field.remember)
      .map((field) => shownValue(field, locale))
      .join(' · '),
    price: amount === null ? null : toWire(amount),
    currency,
  }));
}
