import { addCards } from '@shop/server/catalogue/goods.store';
import type { AppContext } from '@shop/server/context';
import { deliverOrder, type OrderHandle, orderForStaff } from '@shop/server/orders/deliver-order.service';
import type { OrderRow } from '@shop/server/orders/order-row';
import { staffActor } from '@shop/server/platform/audit/audit';
import { RequestState } from '@shop/server/platform/db/named-numbers';
import type { Sql } from '@shop/server/platform/db/sql';
import { ofLines } from '@shop/server/platform/http/body-validator';
import { oneOf } from '@shop/server/platform/http/edit-schemas';
import { ShopError } from '@shop/server/platform/http/errors';
import { textOf } from '@shop/server/platform/http/localised-text';
import {
  CurrencySchema,
  type Locale,
  MoneySchema,
  Nullable,
  NumberSchema,
  TimeSchema,
} from '@shop/server/platform/http/schemas';
import { ErrorCode, OrderStatus, RechargeType } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { type Static, Type } from 'typebox';
import type { Sent } from '../calls';
import { repeatedCodes } from '../catalogue/codes.service';
import { record } from '../people/record';
import type { StaffViewer } from '../people/staff-sessions.service';
import { amount, instant, textIn } from '../sql';
import { reasonSchema, type StaffRefundAnswer, StaffRefundBodySchema, staffRefund } from './refunds.service';

const TextSchema = Type.String({ maxLength: 500, ...ofLines });

const QueueOrderSchema = Type.Object({
  order_no: Type.String(),
  kind: Type.Union([Type.Literal('deliver'), Type.Literal('refund'), Type.Literal('held')]),
  name: Type.String(),
  face_value: Type.String(),
  /** Units that are neither delivered nor refunded. */
  quantity: Type.Integer(),
  amount: MoneySchema,
  currency: CurrencySchema,
  recharge_type: Type.Integer(),
  delivered: Type.Boolean(),
  paid_at: TimeSchema,
  /** The end of the delivery promise or of the hold, or one day after a refund request. */
  due_at: TimeSchema,
  refund_reason: Type.String(),
  takes_codes: Type.Boolean(),
  fields: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), value: Type.String() })),
  taken: Nullable(Type.Object({ by: Type.String(), mine: Type.Boolean(), until: TimeSchema })),
  /** `open`: the supplier may still deliver. */
  supplier: Nullable(
    Type.Object({
      state: Type.Union([Type.Literal('waiting'), Type.Literal('open'), Type.Literal('ended')]),
      tries: Type.Integer(),
      detail: Type.String(),
    }),
  ),
  disputed: Type.Boolean(),
  /** The reasons of the hold; null if the order is not on hold. */
  held: Nullable(Type.Array(oneOf(['amount', 'new-account', 'codes', 'country', 'network'] as const))),
  question: Nullable(Type.Object({ text: Type.String(), asked_at: TimeSchema, answered_at: Nullable(TimeSchema) })),
  codes_shown: Type.Integer(),
});
export type QueueOrder = Static<typeof QueueOrderSchema>;
export const QueueSchema = Type.Object({ server_time: TimeSchema, orders: Type.Array(QueueOrderSchema) });
export type Queue = Static<typeof QueueSchema>;

export const QueueOrderBodySchema = Type.Object({ order_no: NumberSchema });
export const AskBodySchema = Type.Object({
  order_no: NumberSchema,
  question: Type.String({ minLength: 1, maxLength: 300, pattern: '\\S', ...ofLines }),
});
export const FieldsSchema = Type.Object({ fields: Type.Record(Type.String(), Type.String()) });

const CodeSchema = Type.Object({
  card_no: Type.String({ minLength: 1, maxLength: 1000, pattern: '^\\P{Cc}*$' }),
  card_pwd: Type.String({ maxLength: 1000, pattern: '^\\P{Cc}*$' }),
});
export const DeliverBodySchema = Type.Object({
  order_no: NumberSchema,
  note: TextSchema,
  codes: Type.Optional(Type.Array(CodeSchema, { minItems: 1, maxItems: 100 })),
  /** Staff have asked the supplier by other means: it will not deliver too. */
  supplier_ok: Type.Optional(Type.Boolean()),
  /** Staff have confirmed that numbers which the shop has with another password are other codes. */
  same_numbers: Type.Optional(Type.Boolean()),
});
export type DeliverBody = Static<typeof DeliverBodySchema>;

/** The refund gets the other fields from the order, so a body must not contain them. */
export const RefuseBodySchema = Type.Omit(StaffRefundBodySchema, ['amount', 'quantity', 'codes', 'target'], {
  additionalProperties: false,
});
export type RefuseBody = Static<typeof RefuseBodySchema>;
export const RefuseRefundBodySchema = Type.Object({ order_no: NumberSchema, reason: reasonSchema });

/** The half hour that product and order pages promise. A supplier's order that takes longer is also queued for staff. */
const PROMISE = '30 minutes';
const REFUND_ANSWER = '1 day';
const MOST_SHOWN = 200;

type QueueRow = Omit<Sent<QueueOrder>, 'fields'> & Pick<OrderRow, 'fields_masked'>;

/** Orders that wait for staff, earliest promise first. */
export async function queue(sql: Sql, staff: StaffViewer, locale: Locale): Promise<Sent<Queue>> {
  const rows = await sql.rows<QueueRow>(
    `select o.order_no, w.kind, ${textIn("o.snapshot -> 'name'", locale)} as name,
            ${textIn("o.snapshot -> 'face_value'", locale)} as face_value, o.quantity - o.refunded_quantity as quantity, o.currency,
            o.recharge_type, ${amount('o.total_amount - o.refunded_amount')} as amount, o.finished_at is not null as delivered,
            coalesce(o.paid_at, o.created_at) as paid_at, w.due_at, o.refund_reason, o.spec_id is not null as takes_codes, o.fields_masked,
            o.disputed,
            case when c.order_id is not null
              then json_build_object('by', p.name, 'mine', c.staff_id = $1, 'until', ${instant('c.expires_at')}) end as taken,
            case when o.held_until is not null then (select reasons from order_holds where order_id = o.id) end as held,
            case when r.order_id is not null
              then json_build_object('state', case r.state when ${RequestState.ToSend} then 'waiting' when ${RequestState.Open} then 'open'
                                              else 'ended' end, 'tries', r.tries, 'detail', r.detail) end as supplier,
            (select count(*) from audit_log where action = 'cards.reveal' and subject = o.order_no) as codes_shown,
            (select json_build_object('text', a.note, 'asked_at', ${instant('a.at')}, 'answered_at',
                      (select ${instant('min(at)')} from order_events where order_id = o.id and kind = 'answered' and id > a.id))
               from order_events a where a.order_id = o.id and a.kind = 'asked' order by a.id desc limit 1) as question
       from (
         select id, 'refund' as kind, coalesce(refund_requested_at, paid_at) + interval '${REFUND_ANSWER}' as due_at
           from orders where refund_state = 'requested'
         union all
         select id, 'held', held_until from orders where held_until is not null and refund_state <> 'requested'
         union all
         select id, 'deliver', paid_at + interval '${PROMISE}'
           from orders where status = ${OrderStatus.Paid} and recharge_type <> ${RechargeType.CardCode} and refund_state <> 'requested'
            and held_until is null and (recharge_type <> ${RechargeType.Direct} or paid_at < clock_timestamp() - interval '${PROMISE}')
       ) w join orders o on o.id = w.id
       left join staff_claims c on c.order_id = o.id and c.expires_at > clock_timestamp()
       left join staff_people p on p.id = c.staff_id
       left join supplier_requests r on r.order_id = o.id
      order by w.due_at, o.id limit ${MOST_SHOWN}`,
    [staff.id],
  );
  const orders = rows.map(({ fields_masked, ...row }) => ({
    ...row,
    fields: fields_masked.map(({ key, label, value, option }) => ({
      key,
      label: textOf(label, locale),
      value: option ? textOf(option, locale) : masked(value),
    })),
  }));
  return { server_time: new Date(), orders };
}

/** Shows enough to compare, but too little to use: four characters at most, and none of a short value. */
export const masked = (value: string): string => {
  const characters = [...value];
  return characters.length <= 7 ? '••••' : `${characters.slice(0, 2).join('')}••••${characters.slice(-2).join('')}`;
};

/** Claiming an order again extends the claim. After this time other staff can claim it. */
const CLAIM_SECONDS = 15 * 60;

/** Claims a waiting order, or extends the claim. Throws OrderTaken. */
export async function takeOrder(sql: Sql, staff: StaffViewer, orderNo: string): Promise<Date> {
  const order = await orderForStaff(sql, orderNo);
  const { waits, taken_by, name } = await sql.one<{ waits: boolean; taken_by: number | null; name: string | null }>(
    `select o.status = ${OrderStatus.Paid} or o.refund_state = 'requested' as waits, p.id as taken_by, p.name
       from orders o left join staff_claims c on c.order_id = o.id and c.expires_at > clock_timestamp()
       left join staff_people p on p.id = c.staff_id where o.id = $1`,
    [order.id],
  );
  if (!waits) throw new ShopError(ErrorCode.WrongOrderState);
  if (taken_by !== null && taken_by !== staff.id) throw new ShopError(StaffErrorCode.OrderTaken, { by: name });
  const until = await sql.value<Date>(
    `insert into staff_claims (order_id, staff_id, expires_at) values ($1, $2, clock_timestamp() + make_interval(secs => $3))
     on conflict (order_id) do update set staff_id = excluded.staff_id, expires_at = excluded.expires_at,
       taken_at = case when staff_claims.staff_id = excluded.staff_id then staff_claims.taken_at else clock_timestamp() end
     returning expires_at`,
    [order.id, staff.id, CLAIM_SECONDS],
  );
  // A supplier that has not received its request yet must not deliver the same order meanwhile.
  await sql.run(
    `update supplier_requests set next_at = greatest(next_at, $2) where order_id = $1 and state = ${RequestState.ToSend}`,
    [order.id, until],
  );
  const { order_no: subject, user_id: userId } = order;
  if (taken_by === null) await record(sql, { action: 'order.take', subject, userId, detail: { to: staff.name } });
  return until;
}

/** Returns the order, locked, if the staff member has claimed it. Throws OrderNotTaken. */
async function claimedOrder(sql: Sql, staff: StaffViewer, orderNo: string): Promise<OrderHandle> {
  const order = await orderForStaff(sql, orderNo);
  const claim = await sql.row(
    'select 1 from staff_claims where order_id = $1 and staff_id = $2 and expires_at > clock_timestamp()',
    [order.id, staff.id],
  );
  if (!claim) throw new ShopError(StaffErrorCode.OrderNotTaken);
  return order;
}

/** Runs `work` only for an order that the staff member has claimed, so that each access has a purpose. Throws OrderNotTaken. */
export const onClaimed = <T>(
  { db }: AppContext,
  staff: StaffViewer,
  { order_no }: { order_no: string },
  work: (sql: Sql, order: OrderHandle) => Promise<T>,
) => db.withTransaction(async (sql) => work(sql, await claimedOrder(sql, staff, order_no)));

/** Call it when the order is done, or to release it for other staff. */
export const endClaim = (sql: Sql, order: OrderHandle) =>
  sql.run('delete from staff_claims where order_id = $1', [order.id]);

export async function giveBack(sql: Sql, order: OrderHandle): Promise<void> {
  await endClaim(sql, order);
  await sql.run(
    `update supplier_requests set next_at = clock_timestamp() where order_id = $1 and state = ${RequestState.ToSend}`,
    [order.id],
  );
  await record(sql, { action: 'order.give-back', subject: order.order_no, userId: order.user_id });
}

/**
 * Delivers the claimed order with codes for its buyer, or with a note for the shop. A repetition by the same staff member has no
 * effect. Throws SupplierRequestOpen, CodesKnown, NumbersKnown, NoCodesForGoods, RefundWaits, WrongOrderState.
 */
export async function deliver(context: AppContext, staff: StaffViewer, body: DeliverBody): Promise<void> {
  const { order_no: orderNo, note, codes = [], supplier_ok: supplierOk } = body;
  await context.db.withTransaction(async (sql) => {
    if (await wasDelivered(sql, orderNo, note)) return;
    const order = await claimedOrder(sql, staff, orderNo);
    const request = await sql.row<{ tries: number; detail: string }>(
      `select tries, detail from supplier_requests where order_id = $1 and state = ${RequestState.Open} for update`,
      [order.id],
    );
    if (request && !supplierOk) throw new ShopError(ErrorCode.SupplierRequestOpen, request);
    if (codes.length > 0) await storeCodes(context, sql, order.id, body);
    if (!(await deliverOrder(sql, order, note, { codes: codes.length })))
      throw new ShopError(ErrorCode.WrongOrderState);
    await endClaim(sql, order);
  });
}

/** A client that has lost the answer sends the request again. */
const wasDelivered = (sql: Sql, orderNo: string, note: string) =>
  sql.row(
    `select 1 from audit_log where action = 'order.deliver' and subject = $1 and actor = $2 and detail ->> 'note' = $3
        and at > clock_timestamp() - interval '1 hour'`,
    [orderNo, staffActor().actor, note],
  );

async function storeCodes(
  context: AppContext,
  sql: Sql,
  orderId: number,
  { codes = [], same_numbers: sameNumbers }: DeliverBody,
): Promise<void> {
  const spec = await sql.value<number | null>('select spec_id from orders where id = $1', [orderId]);
  if (spec === null) throw new ShopError(StaffErrorCode.NoCodesForGoods);
  const written = codes.map((code, index) => ({ ...code, line: index + 1 }));
  const faults = await repeatedCodes(context, sql, written, sameNumbers);
  const linesOf = (...kinds: string[]) =>
    faults.flatMap((fault) => (fault && kinds.includes(fault.kind) ? [fault.line] : []));
  const [knownLines, numberLines] = [linesOf('known', 'twice'), linesOf('number', 'numberTwice')];
  if (knownLines.length > 0) throw new ShopError(StaffErrorCode.CodesKnown, { lines: knownLines });
  if (numberLines.length > 0) throw new ShopError(StaffErrorCode.NumbersKnown, { lines: numberLines });
  const added = await addCards(sql, context.keyring, spec, codes, { orderId });
  // Another import has added one of these codes meanwhile.
  if (added < codes.length) throw new ShopError(StaffErrorCode.CodesKnown, { lines: [] });
}

/** Refunds the rest to the wallet; above the shop's amount a second staff member must approve. Throws the errors of staffRefund. */
export async function refundClaimed(
  context: AppContext,
  staff: StaffViewer,
  body: RefuseBody,
): Promise<StaffRefundAnswer> {
  const { db } = context;
  const isRepeat = await db.row(
    `select 1 from orders o where o.order_no = $2 and (exists (select 1 from order_refunds where refund_no = $1 and order_id = o.id)
       or exists (select 1 from staff_refunds where refund_no = $1 and order_id = o.id))`,
    [body.key, body.order_no],
  );
  if (!isRepeat) await db.withTransaction((sql) => claimedOrder(sql, staff, body.order_no));
  const answer = await staffRefund(context, staff, { ...body, target: 'wallet' });
  // The same request may come again when another staff member has claimed the order.
  await db.run(
    'delete from staff_claims where order_id = (select id from orders where order_no = $1) and staff_id = $2',
    [body.order_no, staff.id],
  );
  return answer;
}
