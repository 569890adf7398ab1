import type { AppContext } from '@shop/server/context';
import { closeOpenOrders } from '@shop/server/holds/holds.service';
import { orderForStaff } from '@shop/server/orders/deliver-order.service';
import {
  type OrderRefund,
  type OrderRefundRequest,
  refundOrder,
  sendOrderRefund,
} from '@shop/server/payments/refund-order.service';
import type { Sql } from '@shop/server/platform/db/sql';
import { ofLines } from '@shop/server/platform/http/body-validator';
import { ShopError } from '@shop/server/platform/http/errors';
import { fromWire, toWire } from '@shop/server/platform/http/money';
import { type Currency, IdSchema, type Locale, NumberSchema } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { type Static, Type } from 'typebox';
import { decide, makeWithinLimits, type WaitingRow } from '../people/approvals';
import { record } from '../people/record';
import type { StaffViewer } from '../people/staff-sessions.service';
import { insert, textIn, amount as wireAmount } from '../sql';

export const reasonSchema = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', ...ofLines });
/** The same key again is the same refund or action. */
export const keySchema = Type.String({ pattern: '^[\\w-]{8,40}$' });

/** Confirmations by staff; a refund is refused without those that it needs. */
const refundAnswers = {
  /** The supplier has confirmed by other means that it did not and will not deliver. */
  not_delivered: Type.Optional(Type.Boolean()),
  /** The refund is wanted although the buyer has viewed the codes. */
  revealed_ok: Type.Optional(Type.Boolean()),
};

export const StaffRefundBodySchema = Type.Object({
  order_no: NumberSchema,
  /** Absent, without units: the rest of the order. */
  amount: Type.Optional(Type.String({ pattern: '^\\d{1,10}(\\.\\d{1,2})?$' })),
  /** Refunded units; without an amount at their share of the paid amount. */
  quantity: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Ids of the codes of those units; they determine the quantity. */
  codes: Type.Optional(Type.Array(IdSchema, { minItems: 1, maxItems: 1000, uniqueItems: true })),
  target: Type.Union([Type.Literal('wallet'), Type.Literal('source')]),
  reason: reasonSchema,
  key: keySchema,
  ...refundAnswers,
});
export type StaffRefundBody = Static<typeof StaffRefundBodySchema>;

export const AgreeBodySchema = Type.Object({ id: IdSchema, ...refundAnswers });

/** `second`: it waits for a second staff member. `returned`: the provider refused, and the wallet has the money. */
export interface StaffRefundAnswer {
  state: 'second' | 'done' | 'pending' | 'returned' | 'refused';
  amount: string;
  currency: Currency;
}

const toRequest = ({ key, amount, ...body }: StaffRefundBody): OrderRefundRequest => ({
  ...body,
  refund_no: key,
  amount: amount === undefined ? undefined : (fromWire(amount) ?? 0),
  quantity: body.codes?.length ?? body.quantity,
});

/**
 * Refunds at once, or above the shop's amount requests the approval of a second staff member. The same key again is the same
 * refund. With `risk` it also closes the buyer's unpaid orders. Throws RefundWaits, and the errors of refundOrder.
 */
export async function staffRefund(
  context: AppContext,
  staff: StaffViewer,
  body: StaffRefundBody,
  { risk = false } = {},
): Promise<StaffRefundAnswer> {
  const request = toRequest(body);
  const result = await context.db.withTransaction(async (sql) => {
    const order = await orderForStaff(sql, request.order_no);
    const earlier = await resultOfKey(sql, order.id, request);
    if (earlier) return earlier;
    const { action, isWithinLimits } = await makeWithinLimits(sql, context.config, staff, async () => {
      const made = await refundOrder(context, sql, request);
      if (made.isRepeat) return { ...made, amount: 0, total: 0 };
      if (risk) await closeOpenOrders(sql, order.user_id, 'staff');
      return { ...made, total: made.refunded };
    });
    return isWithinLimits ? undefined : askForSecond(sql, staff, order, { ...request, risk }, action);
  });
  return result ?? answerOf(await sendOrderRefund(context, request.refund_no));
}

/** Returns the result of the request with the same key. Throws RefundWaits for another request of the order, and IdempotencyKeyReused. */
async function resultOfKey(
  sql: Sql,
  orderId: number,
  { refund_no, amount, quantity, target }: OrderRefundRequest,
): Promise<StaffRefundAnswer | undefined> {
  // Units without an amount are stored with their share.
  const stored = await sql.row<StaffRefundAnswer & { has_key: boolean; is_same: boolean }>(
    `select case r.state when 'waiting' then 'second' else r.state end as state, o.currency,
            ${wireAmount('coalesce(r.amount, o.total_amount - o.refunded_amount)')} as amount, r.refund_no = $2 as has_key,
            r.order_id = $1 and r.target = $3 and r.quantity is not distinct from $4::integer
              and (r.amount is not distinct from $5::bigint or ($5 is null and r.quantity is not null)) as is_same
       from staff_refunds r join orders o on o.id = r.order_id
      where r.refund_no = $2 or (r.order_id = $1 and r.state = 'waiting') order by (r.refund_no = $2) desc limit 1`,
    [orderId, refund_no, target, quantity, amount],
  );
  if (!stored) return undefined;
  if (!stored.has_key) throw new ShopError(StaffErrorCode.RefundWaits);
  if (!stored.is_same) throw new ShopError(ErrorCode.IdempotencyKeyReused);
  const { state, currency } = stored;
  return state === 'done' ? undefined : { state, currency, amount: stored.amount };
}

async function askForSecond(
  sql: Sql,
  staff: StaffViewer,
  order: { id: number; user_id: number },
  request: OrderRefundRequest & { risk: boolean },
  { amount, currency }: { amount: number; currency: Currency },
): Promise<StaffRefundAnswer> {
  const { order_no, refund_no, quantity = null, target, reason } = request;
  await insert(sql, 'staff_refunds', {
    refund_no,
    order_id: order.id,
    quantity,
    target,
    reason,
    asked_by: staff.id,
    amount: quantity === null ? request.amount : amount,
    codes: request.codes,
    risk: request.risk,
    not_delivered: request.not_delivered ?? false,
    revealed_ok: request.revealed_ok ?? false,
  });
  const detail = { refund_no, amount, target, reason };
  await record(sql, { action: 'refund.ask', subject: order_no, detail, userId: order.user_id });
  return { state: 'second', amount: toWire(amount), currency };
}

const answerOf = ({ state, amount, currency }: OrderRefund): StaffRefundAnswer => ({
  state,
  amount: toWire(amount),
  currency,
});

export const waitingRefunds = (sql: Sql, staff: StaffViewer, locale: Locale) =>
  sql.rows<WaitingRow & { order_no: string; target: string; name: string }>(
    `select r.id, o.order_no, ${textIn("o.snapshot -> 'name'", locale)} as name, o.currency, r.target, r.reason,
            ${wireAmount('coalesce(r.amount, o.total_amount - o.refunded_amount)')} as amount, p.name as asked_by, r.asked_at,
            r.asked_by = $1 as mine
       from staff_refunds r join orders o on o.id = r.order_id join staff_people p on p.id = r.asked_by
      where r.state = 'waiting' order by r.id limit 200`,
    [staff.id],
  );

interface Waiting extends OrderRefundRequest {
  user_id: number;
  asked_by: number;
  risk: boolean;
}
/** Its order is locked first, as by the request of the refund. */
const waitingRefund = {
  table: 'staff_refunds',
  query: `select o.user_id, o.order_no, r.* from orders o join staff_refunds r on r.order_id = o.id
           where r.id = $1 and r.state = 'waiting' for update of o, r`,
} as const;

/** Makes the refund. Throws the errors of `decide` and refundOrder; the refund then keeps waiting. */
export async function approveRefund(
  context: AppContext,
  staff: StaffViewer,
  { id, not_delivered, revealed_ok }: Static<typeof AgreeBodySchema>,
): Promise<StaffRefundAnswer> {
  const refundNo = await context.db.withTransaction(async (sql) => {
    const refund = await decideRefund(sql, staff, id, 'done');
    await refundOrder(context, sql, {
      ...refund,
      not_delivered: refund.not_delivered || not_delivered,
      revealed_ok: refund.revealed_ok || revealed_ok,
    });
    if (refund.risk) await closeOpenOrders(sql, refund.user_id, 'staff');
    return refund.refund_no;
  });
  return answerOf(await sendOrderRefund(context, refundNo));
}

/** A second staff member refuses it, or its requester withdraws it. */
export const refuseWaitingRefund = ({ db }: AppContext, staff: StaffViewer, id: number) =>
  db.withTransaction(async (sql) => {
    await decideRefund(sql, staff, id, 'refused');
  });

async function decideRefund(sql: Sql, staff: StaffViewer, id: number, state: 'done' | 'refused'): Promise<Waiting> {
  const waiting = await decide<Waiting>(sql, waitingRefund, id, staff, state);
  await sql.run("update staff_refunds set reason = '' where id = $1", [id]);
  const action = state === 'done' ? 'refund.agree' : 'refund.refuse';
  const { user_id: userId, order_no: subject, refund_no } = waiting;
  await record(sql, { action, subject, userId, detail: { refund_no } });
  return waiting;
}
