import { ErrorCode, OrderStatus } from '@shop/shared/domain';
import { checkFields, isValidated, type StoredField, type View } from '../catalogue/catalogue.service';
import type { AppContext } from '../context';
import type { Priced } from '../coupons/coupons.service';
import { randomNumber } from '../crypto/tokens';
import type { Sql } from '../db/sql';
import { messageOf, ShopError, shopErrorOf } from '../http/errors';
import type { KeyedCall, StoredCall } from '../http/idempotency';
import { suffixOf, type Texts, textOf } from '../http/localised-text';
import { toWire } from '../http/money';
import { pageOf, pagingOf } from '../http/paging';
import type { Viewer } from '../http/request';
import type { Currency, Locale, Page } from '../http/schemas';
import { orderText } from './order-texts';
import type {
  OrderActions,
  OrderAgain,
  OrderCreateBody,
  OrderCreated,
  OrderInfo,
  OrderListItem,
  OrderListQuery,
  OrderPreview,
  OrderPreviewBody,
  OrderState,
  OrderTab,
  PreviewCoupon,
} from './orders.schemas';
import { faceValue, quote } from './quote.service';

export const CloseReason = { Timeout: 1, User: 2, Risk: 3 } as const;
/** How long an unpaid order holds its goods. */
export const ORDER_SECONDS = 15 * 60;
const MOST_UNPAID_ORDERS = 5;

export async function previewOrder(
  sql: Sql,
  viewer: Viewer,
  body: OrderPreviewBody,
  view: View,
): Promise<OrderPreview> {
  const priced = await quote(sql, viewer.id, body, view);
  const { unitPrice, quantity, original, discount, total, coupon, coupons, balance } = priced;
  const line = (kind: string, amount: number, label = orderText(kind, view.locale)) => ({
    kind,
    label,
    amount: toWire(amount),
  });
  return {
    currency: view.currency,
    unit_price: toWire(unitPrice),
    quantity,
    original_amount: toWire(original),
    coupon_discount: toWire(discount),
    total_amount: toWire(total),
    breakdown: [
      line('goods', original),
      ...(coupon ? [line('coupon', -discount, coupon.name)] : []),
      line('total', total),
    ],
    coupon: coupon ? previewCoupon(coupon) : null,
    available: coupons.filter((one) => one.fault === 0).map(previewCoupon),
    unavailable: coupons.flatMap((one) =>
      one.fault ? [{ ...previewCoupon(one), reason: messageOf(one.fault, view.locale), code: one.fault }] : [],
    ),
    balance: toWire(balance),
    balance_enough: balance >= total,
    price_version: priced.priceVersion,
  };
}

const previewCoupon = (one: Priced): PreviewCoupon => ({
  user_coupon_id: one.user_coupon_id,
  id: one.id,
  name: one.name,
  coupon_type: one.coupon_type,
  discount_amount: toWire(one.discount),
  end_time: new Date(one.end_time).toISOString(),
});

interface Snapshot {
  name: Texts;
  image: string;
  face_value: Texts;
}
interface MaskedField {
  key: string;
  label: Texts;
  value: string;
  /** Kept for "buy again"; a password never is. */
  remember: boolean;
}

/** How often an order is computed anew when its terms change between the reading and the placing. */
const QUOTE_ATTEMPTS = 4;

/** As order_create returns it. Amounts are minor units, times ISO 8601. */
interface PlacedOrder {
  order_no: string;
  status: number;
  delivery_status: number;
  total_amount: number;
  currency: Currency;
  expire_at: string;
  server_time: string;
}

/**
 * Places an order in one statement, order_create, which reads again everything that the price was computed from: an order never
 * relies on a read before it.
 */
export async function createOrder(
  context: AppContext,
  viewer: Viewer,
  body: OrderCreateBody,
  view: View,
  call: KeyedCall,
): Promise<StoredCall<PlacedOrder>> {
  for (let attempt = 1; ; attempt++) {
    const order = await computeOrder(context, viewer, body, view);
    try {
      return await context.db.retrying((sql) =>
        sql.one<StoredCall<PlacedOrder>>('select answer, result from order_create($1, $2, $3, $4, $5, $6)', [
          call.route,
          call.key,
          call.bodyHash,
          JSON.stringify({ ...order.values, locale: call.locale, request_id: call.requestId }),
          order.fieldsCipher,
          MOST_UNPAID_ORDERS,
        ]),
      );
    } catch (error) {
      if (shopErrorOf(error)?.code !== ErrorCode.PriceChanged || attempt === QUOTE_ATTEMPTS) throw error;
    }
  }
}

export const toOrderCreated = (order: PlacedOrder): OrderCreated => ({
  order_no: order.order_no,
  status: order.status,
  delivery_status: order.delivery_status,
  total_amount: toWire(order.total_amount),
  currency: order.currency,
  expire_at: new Date(order.expire_at).toISOString(),
  server_time: new Date(order.server_time).toISOString(),
});

/** Checks what the buyer asks for against the shop as it is now. Throws PriceChanged for a price that is not the one they saw. */
async function computeOrder(context: AppContext, viewer: Viewer, body: OrderCreateBody, view: View) {
  const priced = await quote(context.db, viewer.id, body, view);
  const { goods, customValue, quantity, unitPrice, original, discount, total, coupon, priceVersion } = priced;
  if (body.price_version !== priceVersion) throw new ShopError(ErrorCode.PriceChanged);
  const fields = checkFields(goods.fields, body.fields ?? {}, view.locale);
  if (goods.need_verify_account && !isValidated(context, body.validation_token, goods.id, fields))
    throw new ShopError(ErrorCode.GameAccountNotVerified);
  const snapshot: Snapshot = {
    name: { 'zh-CN': goods.name_zh, en: goods.name_en },
    image: goods.image,
    face_value: faceValue(goods, customValue),
  };
  return {
    values: {
      order_no: randomNumber(),
      user_id: viewer.id,
      vip: viewer.isVip,
      terms: priced.terms,
      goods_id: goods.id,
      spec_id: goods.spec_id,
      custom_value: customValue,
      quantity,
      currency: view.currency,
      unit_price: unitPrice,
      original_amount: original,
      coupon_discount: discount,
      total_amount: total,
      user_coupon_id: coupon?.user_coupon_id ?? null,
      snapshot,
      fields_masked: goods.fields.flatMap((field) => masked(field, fields[field.key])),
      fields_key: context.keyring.currentId,
      expire_seconds: ORDER_SECONDS,
    },
    fieldsCipher: context.keyring.encrypt(
      JSON.stringify({ goodsKey: goods.key, specKey: goods.spec_key ?? '', fields }),
    ),
  };
}

function masked(field: StoredField, value: string | undefined): MaskedField[] {
  if (!value) return [];
  const secret = field.type === 'password';
  const option = field.options?.find((one) => one.value === value);
  return [
    {
      key: field.key,
      label: field.label,
      value: secret ? '******' : value,
      remember: field.remember && !secret,
      ...(option ? { option: option.label } : {}),
    },
  ];
}

export interface OrderRow {
  id: number;
  order_no: string;
  user_id: number;
  goods_id: number;
  spec_id: number | null;
  custom_value: number | null;
  quantity: number;
  currency: Currency;
  unit_price: number;
  original_amount: number;
  coupon_discount: number;
  total_amount: number;
  user_coupon_id: number | null;
  recharge_type: number;
  status: number;
  delivery_status: number;
  snapshot: Snapshot;
  fields_masked: Array<MaskedField & { option?: Texts }>;
  pay_method: string | null;
  payment_id: number | null;
  refund_state: string;
  refund_reason: string;
  refund_requested_at: Date | null;
  refunded_at: Date | null;
  created_at: Date;
  expire_at: Date;
  paid_at: Date | null;
  finished_at: Date | null;
  closed_at: Date | null;
  close_reason: number;
}

function actionsOf(order: OrderRow): OrderActions {
  const open = order.status === OrderStatus.Unpaid && !order.closed_at;
  const held = order.status === OrderStatus.Paid || order.status === OrderStatus.Finished;
  return {
    pay: open,
    cancel: open,
    delete: !open && order.status !== OrderStatus.Paid,
    refund: held && order.refund_state === 'none',
    again: !open,
    reveal: order.status === OrderStatus.Finished && order.recharge_type === 1,
  };
}

function headOf(order: OrderRow) {
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
  unpaid: 'status = 10 and closed_at is null',
  processing: 'status = 12',
  finished: 'status = 30',
  refunded: 'status = 60',
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

/** Overdue orders close when their owner looks at them, not only by the job. */
async function closeExpired(sql: Sql, userId: number): Promise<void> {
  await sql.rows(
    `select order_close(id, $2, 'system') from orders
      where user_id = $1 and status = 10 and closed_at is null and expire_at <= clock_timestamp()`,
    [userId, CloseReason.Timeout],
  );
}

/** The person's own order; another's or an unknown one is OrderNotFound. */
export async function ownOrder(sql: Sql, viewer: Viewer, orderNo: string): Promise<OrderRow> {
  return ownOrderWith<OrderRow>(sql, viewer, orderNo, '*');
}

/** `columns` are of the table orders. */
async function ownOrderWith<T extends OrderRow>(
  sql: Sql,
  viewer: Viewer,
  orderNo: string,
  columns: string,
): Promise<T> {
  const find = () =>
    sql.row<T>(`select ${columns} from orders where order_no = $1 and user_id = $2`, [orderNo, viewer.id]);
  const order = await find();
  if (!order) throw new ShopError(ErrorCode.OrderNotFound);
  if (order.status !== OrderStatus.Unpaid || order.closed_at || order.expire_at > new Date()) return order;
  await sql.one('select order_close($1, $2, $3)', [order.id, CloseReason.Timeout, 'system']);
  return (await find()) ?? order;
}

interface OrderRowWithAll extends OrderRow {
  events: Array<{ at: string; kind: string; note: string }>;
  cards: number;
  payment_no: string | null;
  coupon: { id: number; name: string } | null;
}

export async function orderInfo(sql: Sql, viewer: Viewer, orderNo: string, locale: Locale): Promise<OrderInfo> {
  const order = await ownOrderWith<OrderRowWithAll>(
    sql,
    viewer,
    orderNo,
    `*,
     (select json_agg(json_build_object('at', e.at, 'kind', e.kind, 'note', e.note) order by e.id)
        from order_events e where e.order_id = orders.id) as events,
     (select count(*) from card_codes c where c.order_id = orders.id and c.state = 2) as cards,
     (select p.payment_no from payments p where p.id = orders.payment_id) as payment_no,
     (select json_build_object('id', c.id, 'name', c.name_${suffixOf(locale)})
        from user_coupons uc join coupons c on c.id = uc.coupon_id where uc.id = orders.user_coupon_id) as coupon`,
  );
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
        value: field.option ? textOf(field.option, locale) : field.value,
      })),
    },
    coupon: order.coupon,
    timeline: order.events.map(({ at, kind, note }) => ({
      at: new Date(at).toISOString(),
      kind,
      text: orderText(kind === 'closed' ? `closed_${note}` : kind, locale),
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
    cards_count: order.cards,
    paid_at: order.paid_at?.toISOString() ?? null,
    finished_at: order.finished_at?.toISOString() ?? null,
  };
}

const stateOf = (order: OrderRow): OrderState => ({
  order_no: order.order_no,
  status: order.status,
  delivery_status: order.delivery_status,
  closed_at: order.closed_at?.toISOString() ?? null,
  close_reason: order.close_reason,
  refund_state: order.refund_state,
  server_time: new Date().toISOString(),
});

export async function cancelOrder(sql: Sql, viewer: Viewer, orderNo: string): Promise<OrderState> {
  const order = await ownOrder(sql, viewer, orderNo);
  if (order.closed_at) throw new ShopError(ErrorCode.OrderClosed);
  const { closed } = await sql.one<{ closed: boolean }>('select order_close($1, $2, $3) as closed', [
    order.id,
    CloseReason.User,
    'user',
  ]);
  if (!closed) throw new ShopError(ErrorCode.WrongOrderState);
  return stateOf(await ownOrder(sql, viewer, orderNo));
}

/** Hides an ended order from its owner's lists; nothing is lost. */
export async function deleteOrder(sql: Sql, viewer: Viewer, orderNo: string): Promise<OrderState> {
  const order = await ownOrder(sql, viewer, orderNo);
  if (!actionsOf(order).delete) throw new ShopError(ErrorCode.WrongOrderState);
  await sql.run('update orders set hidden_at = clock_timestamp() where id = $1 and hidden_at is null', [order.id]);
  return stateOf(order);
}

/** Asks for a refund; the staff decides. */
export async function applyForRefund(sql: Sql, viewer: Viewer, orderNo: string, reason: string): Promise<OrderState> {
  const order = await ownOrder(sql, viewer, orderNo);
  // The timeline says the state that the order has at the change, not at the read above: it may be delivered in between.
  const changed = await sql.run(
    `with changed as (
       update orders set refund_state = 'requested', refund_reason = $2, refund_requested_at = clock_timestamp()
        where id = $1 and status in (12, 30) and refund_state = 'none'
        returning id, status, delivery_status)
     insert into order_events (order_id, kind, status, delivery_status, note, actor)
     select id, 'refund_requested', status, delivery_status, $2, 'user' from changed`,
    [order.id, reason],
  );
  if (!changed) throw new ShopError(ErrorCode.WrongOrderState);
  return stateOf(await ownOrder(sql, viewer, orderNo));
}

export async function orderAgain(sql: Sql, viewer: Viewer, orderNo: string): Promise<OrderAgain> {
  const order = await ownOrder(sql, viewer, orderNo);
  const goods = await sql.row(
    `select 1 from goods g left join goods_specs s on s.id = $2
      where g.id = $1 and (g.status = 1 or (g.status = 3 and $3)) and coalesce(s.active, true)`,
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
    server_time: new Date().toISOString(),
  };
}

interface CardRow {
  id: number;
  key_id: string;
  card_no: Buffer;
  card_pwd: Buffer;
  expire_at: Date | null;
}

/** The codes of a delivered order, to an owner who has just proved who they are. Each reveal is on record. */
export async function revealCards({ db, keyring }: AppContext, viewer: Viewer, order: OrderRow, address: string) {
  if (!actionsOf(order).reveal) throw new ShopError(ErrorCode.WrongOrderState);
  return db.withTransaction(async (sql) => {
    const rows = await sql.rows<CardRow>(
      'select id, key_id, card_no, card_pwd, expire_at from card_codes where order_id = $1 and state = 2 order by id',
      [order.id],
    );
    await sql.run(
      "insert into audit_log (actor, action, user_id, subject, detail) values ('user', 'cards.reveal', $1, $2, $3)",
      [viewer.id, order.order_no, JSON.stringify({ cards: rows.length, address })],
    );
    return rows.map((row) => ({
      id: row.id,
      card_no: keyring.decrypt(row.key_id, row.card_no),
      card_pwd: keyring.decrypt(row.key_id, row.card_pwd),
      expire_at: row.expire_at?.toISOString() ?? null,
    }));
  });
}
