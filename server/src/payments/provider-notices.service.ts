import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { addEntry } from '../platform/audit/audit';
import type { Sql } from '../platform/db/sql';
import { ShopError, shopErrorOf } from '../platform/http/errors';
import type { DisputeNotice, Notice, RefundNotice } from '../providers/providers';
import { handlePaymentNotice } from './payments.service';

/**
 * Books a provider's notice once. Its signature has been verified. Throws OrderNotFound (unknown payment), WrongOrderState (the
 * payment's own notice has not come yet) and PaidAmountMismatch; the provider then repeats the notice.
 */
export async function handleNotice(db: AppContext['db'], method: string, notice: Notice): Promise<string> {
  try {
    if (!('about' in notice)) return await handlePaymentNotice(db, method, notice);
    return await db.withTransaction((sql) =>
      notice.about === 'refund' ? bookRefund(sql, method, notice) : bookDispute(sql, method, notice),
    );
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
  order_id: number | null;
  currency: string;
}

async function locked(sql: Sql, payment: Payment | undefined, currency: string): Promise<Payment> {
  if (!payment) throw new ShopError(ErrorCode.OrderNotFound);
  if (payment.currency !== currency) throw new ShopError(ErrorCode.PaidAmountMismatch);
  if (payment.order_id) await sql.one('select 1 from orders where id = $1 for update', [payment.order_id]);
  return payment;
}

async function bookRefund(sql: Sql, method: string, notice: RefundNotice): Promise<string> {
  const { payment_no, id, refund_no, state, amount = null, total = null, at = null } = notice;
  const row = await sql.row<Payment>(
    'select id, order_id, currency from payments where payment_no = $1 and method = $2',
    [payment_no, method],
  );
  const payment = await locked(sql, row, notice.currency);
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
  const row = await sql.row<Payment>(
    'select id, order_id, currency from payments where provider_ref = $1 and method = $2',
    [notice.reference, method],
  );
  const payment = await locked(sql, row, notice.currency);
  const { id, amount, reason, change } = notice;
  return sql.value('select dispute_book($1, $2, $3, $4, $5)', [payment.id, id, amount, reason.slice(0, 100), change]);
}
