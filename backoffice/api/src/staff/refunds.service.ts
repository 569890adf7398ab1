import type { AppContext } from '@shop/server/context';
import { type OpenRequest, orderForStaff } from '@shop/server/orders/deliver-order.service';
import type { Snapshot } from '@shop/server/orders/order-row';
import { RefundAboveBoundError, refundOrder, revealsOf } from '@shop/server/payments/refund-order.service';
import { addEntry, staffActor } from '@shop/server/platform/audit/audit';
import { RequestState } from '@shop/server/platform/db/named-numbers';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError, shopErrorOf } from '@shop/server/platform/http/errors';
import { textOf } from '@shop/server/platform/http/localised-text';
import { fromWire, toWire } from '@shop/server/platform/http/money';
import type { Currency, Locale } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { AgreeBody, StaffRefundAnswer, StaffRefundBody, WaitingRefund } from './refunds.schemas';
import { isAnother, refundNeedsSecond } from './second-person';
import type { StaffViewer } from './staff-sessions.service';

interface RefundRequest {
  order_no: string;
  /** Minor units; null for all that is left. */
  amount: number | null;
  quantity: number | null;
  target: 'wallet' | 'source';
  reason: string;
  refund_no: string;
  not_delivered: boolean;
  revealed_ok: boolean;
}

/**
 * Refunds at once, or above the shop's amount asks for a second person. The same key again is the same refund. Throws RefundTooLarge,
 * RefundWaits, SupplierRequestOpen, CodesRevealed, and what refundOrder throws.
 */
export async function staffRefund(
  context: AppContext,
  staff: StaffViewer,
  body: StaffRefundBody,
): Promise<StaffRefundAnswer> {
  const wish: RefundRequest = {
    order_no: body.order_no,
    amount: body.amount === undefined ? null : (fromWire(body.amount) ?? 0),
    quantity: body.quantity ?? null,
    target: body.target,
    reason: body.reason,
    refund_no: body.key,
    not_delivered: body.not_delivered ?? false,
    revealed_ok: body.revealed_ok ?? false,
  };
  const ask = () => context.db.withTransaction((sql) => askForSecond(context, sql, staff, wish));
  const waiting = await ask();
  if (waiting) return waiting;
  return make(context, wish, true).catch(async (error) => {
    if (!(error instanceof RefundAboveBoundError)) throw error;
    // Another refund was made since it was asked.
    const asked = await ask();
    if (!asked) throw new ShopError(ErrorCode.RefundTooLarge);
    return asked;
  });
}

/** undefined: nobody else is needed. */
async function askForSecond(
  { config }: AppContext,
  sql: Sql,
  staff: StaffViewer,
  wish: RefundRequest,
): Promise<StaffRefundAnswer | undefined> {
  const handle = await orderForStaff(sql, wish.order_no);
  if (await sql.row('select 1 from order_refunds where refund_no = $1', [wish.refund_no])) return undefined;
  // The share of units as order_refund_part reckons it.
  const order = await sql.one<{
    total: number;
    refunded: number;
    units: number;
    share: number | null;
    currency: Currency;
  }>(
    `select total_amount as total, refunded_amount as refunded, quantity - refunded_quantity as units, currency,
            least(total_amount - refunded_amount, total_amount * (refunded_quantity + $2::integer) / quantity
              - total_amount * refunded_quantity / quantity) as share from orders where id = $1`,
    [handle.id, wish.quantity],
  );
  const amount = wish.amount ?? (wish.quantity === null ? order.total - order.refunded : (order.share ?? 0));
  const answer = { state: 'second', amount: toWire(amount), currency: order.currency } as const;
  const known = await sql.row<{ refund_no: string; state: 'waiting' | 'agreed' | 'refused' }>(
    `select refund_no, state from staff_refunds
      where order_id = $1 and state <> 'done' and (state in ('waiting', 'agreed') or refund_no = $2)`,
    [handle.id, wish.refund_no],
  );
  if (known?.refund_no === wish.refund_no) return known.state === 'refused' ? { ...answer, state: 'refused' } : answer;
  if (known) throw new ShopError(StaffErrorCode.RefundWaits);
  const isTooMuch = amount > order.total - order.refunded || (wish.quantity ?? 0) > order.units;
  if (isTooMuch || wish.amount === 0) throw new ShopError(ErrorCode.RefundTooLarge);
  if (!refundNeedsSecond(config.staffRefundAbove, { ...order, amount })) return undefined;
  const { refund_no, target, reason, not_delivered, revealed_ok } = wish;
  // As a refund at once does, so that the second person is not asked for what cannot be made.
  const open = await sql.row<OpenRequest>(
    `select tries, next_at, detail from supplier_requests where order_id = $1 and state = ${RequestState.Open}`,
    [handle.id],
  );
  if (open && !not_delivered) throw new ShopError(ErrorCode.SupplierRequestOpen, open);
  await revealsOf(sql, wish.order_no, revealed_ok);
  await sql.run(
    `insert into staff_refunds (refund_no, order_id, amount, quantity, target, reason, not_delivered, revealed_ok, asked_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      refund_no,
      handle.id,
      wish.quantity === null ? wish.amount : amount,
      wish.quantity,
      target,
      reason,
      not_delivered,
      revealed_ok,
      staff.id,
    ],
  );
  await addEntry(sql, {
    ...staffActor(),
    action: 'refund.ask',
    subject: wish.order_no,
    detail: { refund_no, amount, target, reason },
    userId: handle.user_id,
  });
  return answer;
}

/** `isAlone`: nobody else has agreed. Throws RefundAboveBoundError then. */
async function make(context: AppContext, wish: RefundRequest, isAlone: boolean): Promise<StaffRefundAnswer> {
  const { currency } = await context.db.one<{ currency: Currency }>('select currency from orders where order_no = $1', [
    wish.order_no,
  ]);
  const done = await refundOrder(context, {
    orderNo: wish.order_no,
    amount: wish.amount ?? undefined,
    quantity: wish.quantity ?? undefined,
    target: wish.target,
    reason: wish.reason,
    refundNo: wish.refund_no,
    notDelivered: wish.not_delivered,
    revealedOk: wish.revealed_ok,
    refundedAtMost: isAlone ? context.config.staffRefundAbove[currency] : undefined,
  });
  return { state: done.state, amount: toWire(done.amount), currency: done.currency };
}

/** The oldest first. */
export async function waitingRefunds(sql: Sql, staff: StaffViewer, locale: Locale): Promise<WaitingRefund[]> {
  const rows = await sql.rows<
    Omit<WaitingRefund, 'name' | 'amount' | 'mine' | 'asked_at'> & {
      snapshot: Snapshot;
      amount: number;
      asked_id: number;
      asked_at: Date;
    }
  >(
    `select r.id, o.order_no, o.snapshot, coalesce(r.amount, o.total_amount - o.refunded_amount) as amount, o.currency, r.target,
            r.reason, p.name as asked_by, r.asked_by as asked_id, r.asked_at
       from staff_refunds r join orders o on o.id = r.order_id join staff_people p on p.id = r.asked_by
      where r.state in ('waiting', 'agreed') order by r.id limit 200`,
  );
  return rows.map(({ snapshot, asked_id, ...row }) => ({
    ...row,
    name: textOf(snapshot.name, locale),
    amount: toWire(row.amount),
    mine: asked_id === staff.id,
    asked_at: row.asked_at.toISOString(),
  }));
}

type Waiting = RefundRequest & { asked_by: number; user_id: number };

/** Throws NotFound for what is decided. */
async function waitingRefund(sql: Sql, id: number): Promise<Waiting> {
  const found = await sql.row<Waiting>(
    `select o.order_no, o.user_id, r.amount, r.quantity, r.target, r.reason, r.refund_no, r.not_delivered, r.revealed_ok, r.asked_by
       from staff_refunds r join orders o on o.id = r.order_id where r.id = $1 and r.state in ('waiting', 'agreed') for update of r`,
    [id],
  );
  if (!found) throw new ShopError(ErrorCode.NotFound);
  return found;
}

/** Makes the refund. Throws SecondPersonNeeded to whoever asked for it, and SupplierRequestOpen and CodesRevealed as staffRefund does. */
export async function agreeToRefund(
  context: AppContext,
  staff: StaffViewer,
  { id, not_delivered = false, revealed_ok = false }: AgreeBody,
): Promise<StaffRefundAnswer> {
  const { db } = context;
  const wish = await db.withTransaction(async (sql) => {
    const found = await waitingRefund(sql, id);
    if (!isAnother(found.asked_by, staff.id)) throw new ShopError(StaffErrorCode.SecondPersonNeeded);
    await sql.run(
      "update staff_refunds set state = 'agreed', decided_by = $2, decided_at = clock_timestamp() where id = $1",
      [id, staff.id],
    );
    await addEntry(sql, decision('refund.agree', found));
    return {
      ...found,
      not_delivered: found.not_delivered || not_delivered,
      revealed_ok: found.revealed_ok || revealed_ok,
    };
  });
  const answer = await make(context, wish, false).catch(async (error) => {
    // Certainly not made; otherwise it stays agreed, and agreeing again makes it once.
    if (shopErrorOf(error))
      await db.run(
        "update staff_refunds set state = 'waiting', decided_by = null, decided_at = null where id = $1 and state = 'agreed'",
        [id],
      );
    throw error;
  });
  // The refund keeps the reason; the wish for it does not.
  await db.run("update staff_refunds set state = 'done', reason = '' where id = $1 and state = 'agreed'", [id]);
  return answer;
}

/** By a second person, or taken back by whoever asked. */
export async function refuseWaitingRefund({ db }: AppContext, staff: StaffViewer, id: number): Promise<void> {
  await db.withTransaction(async (sql) => {
    const wish = await waitingRefund(sql, id);
    const refused = await sql.run(
      `update staff_refunds set state = 'refused', decided_by = $2, decided_at = clock_timestamp(), reason = ''
        where id = $1 and state = 'waiting'`,
      [id, staff.id],
    );
    if (!refused) throw new ShopError(StaffErrorCode.RefundWaits);
    await addEntry(sql, decision('refund.refuse', wish));
  });
}

const decision = (action: string, { order_no, refund_no, user_id }: Waiting) => ({
  ...staffActor(),
  action,
  subject: order_no,
  detail: { refund_no },
  userId: user_id,
});
