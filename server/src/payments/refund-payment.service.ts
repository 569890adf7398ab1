import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { addEntry } from '../platform/audit/audit';
import { randomNumber } from '../platform/crypto/tokens';
import { ShopError } from '../platform/http/errors';
import { ProviderRefusal } from '../providers/providers';
import { knownOf, remotePayment } from './remote-payment';

const HOUR = 3600;
const BATCH = 20;
/** After this time another process may send the refund again. */
const LEASE_SECONDS = 60;

/**
 * Pays `amount` (minor units) back to the payment's source, out of the wallet: an order is refunded to the wallet first. Throws
 * OrderNotFound (no such payment), WrongOrderState (not paid), PaidAmountMismatch (more than is left of it), BalanceTooLow, and
 * PaymentMethodUnavailable (the method cannot pay back).
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
  // Stored and taken from the wallet before the provider is called: after a crash the same refund is sent again, not a second one.
  await context.db.withTransaction(async (sql) => {
    await sql.run('select payment_refund_start($1, $2, $3, $4, $5)', [
      wish.paymentNo,
      refundNo,
      wish.amount,
      wish.reason,
      wish.actor,
    ]);
    await addEntry(sql, {
      actor: wish.actor,
      action: 'payment.pay-back',
      subject: wish.paymentNo,
      detail: { refund_no: refundNo, amount: wish.amount, reason: wish.reason },
    });
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
