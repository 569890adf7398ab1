import { ErrorCode } from '@shop/shared/domain';
import { invitationsAreOpen } from '../accounts/invitations/invitations.service';
import type { AppContext } from '../context';
import { addEntry } from '../platform/audit/audit';
import { sha256 } from '../platform/crypto/tokens';
import type { Sql } from '../platform/db/sql';
import { ShopError, shopErrorOf } from '../platform/http/errors';
import type { DisputeNotice, Notice, PaymentNotice, RefundNotice } from '../providers/providers';

/**
 * Books a provider's notice once. Its signature has been verified. Throws OrderNotFound (unknown payment), WrongOrderState (the
 * payment's own notice has not come yet) and PaidAmountMismatch; the provider then repeats the notice.
 */
export async function handleNotice(db: AppContext['db'], method: string, notice: Notice): Promise<string> {
  try {
    return await db.withTransaction((sql) => {
      if (!('about' in notice)) return bookPayment(sql, method, notice);
      return notice.about === 'refund' ? bookRefund(sql, method, notice) : bookDispute(sql, method, notice);
    });
  } catch (error) {
    if (shopErrorOf(error)?.code === ErrorCode.PaidAmountMismatch) await flagMismatch(db, method, notice);
    throw error;
  }
}

/** "9.21 EUR"; yen have no decimals. */
function amountText(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;
}

/** Shows staff once, in the audit log and at the order, what a provider reports and what the shop expected. The shop books nothing. */
async function flagMismatch(sql: Sql, method: string, notice: Notice): Promise<void> {
  const dispute = 'about' in notice && notice.about === 'dispute' ? notice : undefined;
  const payment = await sql.row<{
    payment_no: string;
    order_no: string | null;
    user_id: number;
    amount: number;
    currency: string;
  }>(
    `select p.payment_no, o.order_no, p.user_id, p.amount, p.currency from payments p left join orders o on o.id = p.order_id
      where p.method = $1 and ${dispute ? 'p.provider_ref' : 'p.payment_no'} = $2`,
    [method, 'payment_no' in notice ? notice.payment_no : notice.reference],
  );
  if (!payment) return;
  const reported = ('total' in notice ? notice.total : notice.amount) ?? 0;
  const detail = {
    method,
    payment_no: payment.payment_no,
    about: 'about' in notice ? notice.about : 'payment',
    reference: 'reference' in notice ? notice.reference : (notice.id ?? notice.refund_no ?? ''),
    reported: amountText(reported, notice.currency),
    expected: amountText(payment.amount, payment.currency),
  };
  const entry = { actor: 'provider', action: 'payment.mismatch', userId: payment.user_id, detail };
  const isFlagged = "select 1 from audit_log where action = 'payment.mismatch' and user_id = $1 and detail = $2";
  if (await sql.row(isFlagged, [payment.user_id, JSON.stringify(detail)])) return;
  await addEntry(sql, { ...entry, subject: payment.order_no ?? payment.payment_no });
}

interface Payment {
  id: number;
  user_id: number;
  order_id: number | null;
  currency: string;
  amount: number;
  keeps_payer: boolean;
  keeps_country: boolean;
}

/**
 * The payment with this number, its order locked: to avoid deadlocks, all payments lock the order before the payment and the
 * wallet. Throws OrderNotFound, and PaidAmountMismatch for another currency.
 */
async function lockedPayment(
  sql: Sql,
  method: string,
  column: 'payment_no' | 'provider_ref',
  number: string,
  currency: string,
): Promise<Payment> {
  const payment = await sql.row<Payment>(
    `select id, user_id, order_id, currency, amount, ${invitationsAreOpen} as keeps_payer,
            exists (select 1 from hold_settings where enabled and countries <> '{}') as keeps_country from payments where ${column} = $1 and method = $2`,
    [number, method],
  );
  if (!payment) throw new ShopError(ErrorCode.OrderNotFound);
  if (payment.currency !== currency) throw new ShopError(ErrorCode.PaidAmountMismatch);
  if (payment.order_id) await sql.one('select 1 from orders where id = $1 for update', [payment.order_id]);
  return payment;
}

/**
 * Processes a notice whose signature has been verified. Amount and currency must be those of the payment (PaidAmountMismatch); a
 * repeated or late notice changes nothing.
 */
export const handlePaymentNotice = (db: AppContext['db'], method: string, notice: PaymentNotice): Promise<string> =>
  db.withTransaction((sql) => bookPayment(sql, method, notice));

async function bookPayment(sql: Sql, method: string, notice: PaymentNotice): Promise<string> {
  const { payment_no, amount, currency, paid, reference, payer, country } = notice;
  const payment = await lockedPayment(sql, method, 'payment_no', payment_no, currency);
  if (payment.amount !== amount) throw new ShopError(ErrorCode.PaidAmountMismatch);
  if (payment.keeps_country && country)
    await sql.run('insert into payment_countries (payment_id, country) values ($1, $2) on conflict do nothing', [
      payment.id,
      country,
    ]);
  try {
    const result = await sql.value<string>('select payment_end($1, $2, $3)', [payment.id, paid, reference]);
    if (payment.order_id && result === 'wallet')
      await sql.run("select order_event($1, 'paid_late', $2, 'provider')", [payment.order_id, String(amount)]);
    if (payment.keeps_payer && paid && payer)
      await sql.run(
        'insert into payers (user_id, payer_hash) values ($1, $2) on conflict (user_id, payer_hash) do update set seen_at = clock_timestamp()',
        [payment.user_id, sha256(`${method} ${payer}`)],
      );
    return result;
  } catch (error) {
    // One transfer at the provider pays one payment only.
    if ((error as { constraint?: string }).constraint === 'payments_provider_ref')
      throw new ShopError(ErrorCode.PaidAmountMismatch);
    throw error;
  }
}

async function bookRefund(sql: Sql, method: string, notice: RefundNotice): Promise<string> {
  const { payment_no, id, refund_no, state, amount = null, total = null, at = null } = notice;
  const payment = await lockedPayment(sql, method, 'payment_no', payment_no, notice.currency);
  const shopRefund =
    refund_no &&
    (await sql.row<{ amount: number }>('select amount from payment_refunds where refund_no = $1 and payment_id = $2', [
      refund_no,
      payment.id,
    ]));
  if (shopRefund) {
    if (shopRefund.amount !== amount) throw new ShopError(ErrorCode.PaidAmountMismatch);
    const detail = state === 'done' ? '' : 'failed at the provider';
    const ended = await sql.value<boolean>('select payment_refund_end($1, $2, $3)', [refund_no, state, detail]);
    return ended ? state : 'duplicate';
  }
  if (state === 'failed' || !id) return 'nothing';
  return sql.value('select provider_refund_book($1, $2, $3, $4, $5)', [payment.id, id, amount, total, at]);
}

async function bookDispute(sql: Sql, method: string, notice: DisputeNotice): Promise<string> {
  const { reference, currency, id, amount, reason, change } = notice;
  const payment = await lockedPayment(sql, method, 'provider_ref', reference, currency);
  return sql.value('select dispute_book($1, $2, $3, $4, $5)', [payment.id, id, amount, reason.slice(0, 100), change]);
}
