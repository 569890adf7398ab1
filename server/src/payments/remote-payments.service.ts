import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { randomNumber } from '../crypto/tokens';
import { ShopError } from '../http/errors';
import { limitRate } from '../http/rate-limit';
import type { Currency, Locale } from '../http/schemas';
import { orderText } from '../orders/order-texts';
import {
  type BrowserKind,
  type KnownPayment,
  type Opened,
  type PaymentPage,
  type PaymentProvider,
  ProviderRefusal,
} from '../providers/providers';
import { takeNotice } from './payments.service';

/** Opening a page asks the provider; a person has no reason to do it more often. */
const MOST_OPENINGS = 20;
const OPENINGS_SECONDS = 600;
const FIRST_ASK_SECONDS = 20;
const MOST_ASK_SECONDS = 60;
const HOUR = 3600;
/** After so many questions without an end the provider is asked once an hour only. */
const MANY_ASKS = 60;
const BATCH = 20;
/** How long a question may be under way before another process asks it. */
const LEASE_SECONDS = 60;

export interface RemotePayment {
  id: number;
  payment_no: string;
  method: string;
  amount: number;
  currency: Currency;
  state: string;
  locale: Locale;
  created_at: Date;
  expire_at: Date;
  opened: Opened | null;
  order_no: string | null;
  name: { 'zh-CN': string; en: string } | null;
  openid: string | null;
  asks: number;
  /** Nobody waits for it any more: overdue, or its order is closed or paid. */
  dead: boolean;
}

const columns = `p.id, p.payment_no, p.method, p.amount, p.currency, p.state, p.locale, p.created_at, p.expire_at, p.opened,
  p.asks, o.order_no, o.snapshot -> 'name' as name, u.openid,
  p.expire_at <= clock_timestamp() or coalesce(o.closed_at is not null or o.status <> 10, false) as dead`;

export const remotePayment = ({ db }: Pick<AppContext, 'db'>, paymentNo: string) =>
  db.row<RemotePayment>(
    `select ${columns} from payments p left join orders o on o.id = p.order_id join users u on u.id = p.user_id
      where p.payment_no = $1`,
    [paymentNo],
  );

/**
 * Where the shopper pays. The provider is asked here and not when the payment is made, so that no transaction waits for it, and
 * the payment is on record before anyone can pay it. Throws OrderClosed for a payment that can't be paid any more, PaymentMethodUnavailable when the
 * provider refuses or does not answer.
 */
export async function openPage(
  { db }: AppContext,
  provider: PaymentProvider,
  payment: RemotePayment,
  visitor: { browser: BrowserKind; address: string },
): Promise<PaymentPage> {
  if (payment.state !== 'pending' || payment.dead) throw new ShopError(ErrorCode.OrderClosed);
  const known = payment.opened;
  const lasts = known && (!known.until || Date.parse(known.until) > Date.now());
  if (lasts && (known.for === visitor.browser || known.for === 'any')) return known.page;
  await limitRate(db, `cashier:${payment.payment_no}`, MOST_OPENINGS, OPENINGS_SECONDS);
  // From now on the provider may know it, whatever becomes of the answer.
  await db.run(
    "update payments set ask_at = coalesce(ask_at, clock_timestamp() + make_interval(secs => $2)) where id = $1 and state = 'pending'",
    [payment.id, FIRST_ASK_SECONDS],
  );
  const opened = await provider
    .open({
      ...payment,
      ...visitor,
      subject: payment.name?.[payment.locale] ?? orderText('recharge', payment.locale),
      openid: payment.openid ?? '',
    })
    .catch((error) => {
      throw new ShopError(ErrorCode.PaymentMethodUnavailable, null, error);
    });
  await db.run("update payments set opened = $2 where id = $1 and state = 'pending'", [
    payment.id,
    JSON.stringify(opened),
  ]);
  return opened.page;
}

const knownOf = ({ payment_no, amount, currency, opened }: RemotePayment): KnownPayment => ({
  payment_no,
  amount,
  currency,
  token: opened?.token,
});

/** Asks the provider what has become of a payment, and closes it there when nobody waits for it any more. */
export async function askProvider(context: AppContext, payment: RemotePayment): Promise<string> {
  const provider = context.providers.payments.find((one) => one.code === payment.method);
  if (!provider?.remote || payment.state !== 'pending') return payment.state;
  const answer = await provider.remote.query(knownOf(payment));
  if (answer.state === 'ended') return takeNotice(context.db, payment.method, answer.notice);
  if (answer.state === 'open' && payment.dead) await provider.remote.close(knownOf(payment));
  else if (answer.state === 'open' || (answer.state === 'unknown' && !payment.dead)) return 'pending';
  await context.db.run(
    "update payments set state = 'closed', ended_at = clock_timestamp() where id = $1 and state = 'pending'",
    [payment.id],
  );
  return 'closed';
}

/** Asks about payments whose notice may have been lost. Each is leased, so that two processes never ask at once. */
export async function askPayments(context: AppContext): Promise<number> {
  const due = await context.db.rows<RemotePayment>(
    `with due as (
       select id from payments where state = 'pending' and ask_at <= clock_timestamp() order by ask_at limit $1 for update skip locked
     ), leased as (
       update payments p set asks = p.asks + 1, ask_at = clock_timestamp() + make_interval(secs => $2) from due
        where p.id = due.id returning p.*
     )
     select ${columns} from leased p left join orders o on o.id = p.order_id join users u on u.id = p.user_id`,
    [BATCH, LEASE_SECONDS],
  );
  let fault: unknown;
  for (const payment of due) {
    try {
      await askProvider(context, payment);
    } catch (error) {
      // Paid between the question and the closing, or out of reach: the next question tells.
      if (!(error instanceof ProviderRefusal)) fault = error;
    }
    const pause = payment.asks > MANY_ASKS ? HOUR : Math.min(MOST_ASK_SECONDS, FIRST_ASK_SECONDS * 2 ** payment.asks);
    await context.db.run(
      "update payments set ask_at = clock_timestamp() + make_interval(secs => $2) where id = $1 and state = 'pending'",
      [payment.id, pause],
    );
  }
  const refunds = await sendRefunds(context);
  if (fault) throw fault;
  return due.length + refunds;
}

/**
 * Pays `amount` (minor units) back to where the money came from, out of the wallet: an order is refunded to the wallet first.
 * Errors: OrderNotFound no such payment, WrongOrderState it was not paid, PaidAmountMismatch more than is left of it, BalanceTooLow the wallet holds less, PaymentMethodUnavailable the
 * method can't pay back.
 */
export async function refundPayment(
  context: AppContext,
  wish: { paymentNo: string; amount: number; reason: string; actor: string },
): Promise<string> {
  const payment = await remotePayment(context, wish.paymentNo);
  if (!payment) throw new ShopError(ErrorCode.OrderNotFound);
  if (!context.providers.payments.find((one) => one.code === payment.method)?.remote)
    throw new ShopError(ErrorCode.PaymentMethodUnavailable);
  const refundNo = randomNumber();
  // On record and out of the wallet before the provider hears of it: a crash leads to a second question, not a second refund.
  await context.db.withTransaction(async (sql) => {
    await sql.run('select payment_refund_start($1, $2, $3, $4, $5)', [
      wish.paymentNo,
      refundNo,
      wish.amount,
      wish.reason,
      wish.actor,
    ]);
    await sql.run("insert into audit_log (actor, action, subject, detail) values ($1, 'payment.pay-back', $2, $3)", [
      wish.actor,
      wish.paymentNo,
      JSON.stringify({ refund_no: refundNo, amount: wish.amount, reason: wish.reason }),
    ]);
  });
  await sendRefunds(context, refundNo).catch(() => {});
  return refundNo;
}

interface DueRefund {
  refund_no: string;
  amount: number;
  reason: string;
  asks: number;
  payment_no: string;
}

/** Hands due refunds to their providers; one that is asked twice pays back once, by its number. */
async function sendRefunds(context: AppContext, only?: string): Promise<number> {
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
    const remote = context.providers.payments.find((one) => one.code === payment?.method)?.remote;
    if (!payment || !remote) continue;
    const end = (done: boolean, detail: string) =>
      context.db.withTransaction((sql) =>
        sql.run('select payment_refund_end($1, $2, $3)', [refund_no, done, detail.slice(0, 300)]),
      );
    try {
      const answer = await remote.refund({ ...knownOf(payment), refund_no, refund_amount: amount, reason });
      if (answer === 'done') {
        await end(true, '');
        continue;
      }
    } catch (error) {
      if (error instanceof ProviderRefusal) {
        await end(false, error.message);
        continue;
      }
      fault = error;
    }
    await context.db.run(
      "update payment_refunds set ask_at = clock_timestamp() + make_interval(secs => $2) where refund_no = $1 and state = 'pending'",
      [refund_no, Math.min(HOUR, 30 * 2 ** Math.min(asks, 7))],
    );
  }
  if (fault) throw fault;
  return due.length;
}
