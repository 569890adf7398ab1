import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { noticeStuckRefund } from '../notices/collect-notices.service';
import { addEntry } from '../platform/audit/audit';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import { ProviderRefusal } from '../providers/providers';
import { handlePaymentNotice } from './provider-notices.service';
import { type RemotePayment, remotePayment, remotePaymentColumns } from './remote-payment';

const FIRST_PAUSE_SECONDS = 20;
const MAX_PAUSE_SECONDS = 60;
const HOUR = 3600;
/** After so many queries without a final state the provider is asked only once an hour. */
const MAX_FREQUENT_QUERIES = 60;
const BATCH = 20;
const LEASE_SECONDS = 60;

export async function askProvider(context: AppContext, payment: RemotePayment): Promise<string> {
  const provider = context.providers.payments.find((candidate) => candidate.code === payment.method);
  if (!provider?.remote || payment.state !== 'pending') return payment.state;
  const answer = await provider.remote.query(payment);
  if (answer.state === 'ended') return handlePaymentNotice(context.db, payment.method, answer.notice);
  if (answer.state === 'open' && payment.dead) await provider.remote.close(payment);
  else if (answer.state === 'open' || (answer.state === 'unknown' && !payment.dead)) return 'pending';
  await context.db.run(
    "update payments set state = 'closed', ended_at = clock_timestamp() where id = $1 and state = 'pending'",
    [payment.id],
  );
  return 'closed';
}

/** Asks about pending payments, because a notice can be lost. Each is leased, so that two processes never ask at once. */
export async function askPayments(context: AppContext): Promise<number> {
  const due = await context.db.rows<RemotePayment>(
    `with due as (
       select id from payments where state = 'pending' and ask_at <= clock_timestamp() order by ask_at limit $1 for update skip locked
     ), leased as (
       update payments p set asks = p.asks + 1, ask_at = clock_timestamp() + make_interval(secs => $2) from due
        where p.id = due.id returning p.*
     )
     select ${remotePaymentColumns} from leased p left join orders o on o.id = p.order_id join users u on u.id = p.user_id`,
    [BATCH, LEASE_SECONDS],
  );
  let fault: unknown;
  for (const payment of due) {
    try {
      await askProvider(context, payment);
    } catch (error) {
      // The provider refuses to close a payment that was paid after the query; the next query reports it.
      if (!(error instanceof ProviderRefusal)) fault = error;
    }
    const pause =
      payment.asks > MAX_FREQUENT_QUERIES ? HOUR : Math.min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** payment.asks);
    await context.db.run(
      "update payments set ask_at = clock_timestamp() + make_interval(secs => $2) where id = $1 and state = 'pending'",
      [payment.id, pause],
    );
  }
  const refunds = await sendRefunds(context);
  if (fault) throw fault;
  return due.length + refunds;
}

interface PayBack {
  paymentNo: string;
  /** A repeated number is refused with IdempotencyKeyReused. */
  refundNo: string;
  /** Minor units. */
  amount: number;
  reason: string;
  actor: string;
}

/**
 * Debits the wallet and stores a refund that sendRefunds pays back to the payment's source; the money of an order is refunded to
 * the wallet first. It is stored before the provider is called: after a crash the same refund is sent again, not a second one.
 * Throws OrderNotFound (unknown payment), WrongOrderState (not paid), OrderDisputed, PaidAmountMismatch (more than its remaining
 * amount), BalanceTooLow, and PaymentMethodUnavailable (the method cannot pay back).
 */
export async function payBack(
  { providers }: Pick<AppContext, 'providers'>,
  sql: Sql,
  { paymentNo, refundNo, amount, reason, actor }: PayBack,
): Promise<void> {
  const payment = await sql.row<{ method: string; user_id: number }>(
    'select method, user_id from payments where payment_no = $1',
    [paymentNo],
  );
  if (!payment) throw new ShopError(ErrorCode.OrderNotFound);
  if (!providers.payments.find((provider) => provider.code === payment.method)?.remote)
    throw new ShopError(ErrorCode.PaymentMethodUnavailable);
  if (await sql.row('select 1 from payment_refunds where refund_no = $1', [refundNo]))
    throw new ShopError(ErrorCode.IdempotencyKeyReused);
  await sql.run('select payment_refund_start($1, $2, $3, $4, $5)', [paymentNo, refundNo, amount, reason, actor]);
  await addEntry(sql, {
    actor,
    action: 'payment.pay-back',
    subject: paymentNo,
    userId: payment.user_id,
    detail: { refund_no: refundNo, amount, reason },
  });
}

interface DueRefund {
  refund_no: string;
  amount: number;
  reason: string;
  asks: number;
  payment_no: string;
}

/** Sends due refunds to their providers. A provider pays a refund number once, however often it is sent. */
export async function sendRefunds(context: AppContext, only?: string): Promise<number> {
  const due = await context.db.rows<DueRefund>(
    `with due as (
       select id from payment_refunds where state = 'pending' and ($2::text is null and ask_at <= clock_timestamp() or refund_no = $2)
        order by ask_at limit $1 for update skip locked
     ), leased as (
       update payment_refunds r set asks = r.asks + 1, ask_at = clock_timestamp() + make_interval(secs => $3) from due
        where r.id = due.id returning r.*
     )
     select l.refund_no, l.amount, l.reason, l.asks, p.payment_no from leased l join payments p on p.id = l.payment_id`,
    [BATCH, only ?? null, LEASE_SECONDS],
  );
  let fault: unknown;
  for (const { refund_no, amount, reason, asks, payment_no } of due) {
    const payment = await remotePayment(context, payment_no);
    const remote = context.providers.payments.find((provider) => provider.code === payment?.method)?.remote;
    if (!payment || !remote) continue;
    const end = (state: 'done' | 'failed' | 'refused', detail = '') =>
      context.db.withTransaction((sql) =>
        sql.run('select payment_refund_end($1, $2, $3)', [refund_no, state, detail.slice(0, 300)]),
      );
    try {
      const answer = await remote.refund({ ...payment, refund_no, refund_amount: amount, reason });
      if (answer === 'done') await end(answer);
      else if (answer === 'failed') await end(answer, 'failed at the provider');
      else if (answer === 'stuck') await noticeStuckRefund(context, refund_no);
    } catch (error) {
      if (error instanceof ProviderRefusal) await end('refused', error.message);
      else fault = error;
    }
    await context.db.run(
      "update payment_refunds set ask_at = clock_timestamp() + make_interval(secs => $2) where refund_no = $1 and state = 'pending'",
      [refund_no, Math.min(HOUR, 30 * 2 ** Math.min(asks, 7))],
    );
  }
  if (fault) throw fault;
  return due.length;
}
