import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../context';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import type { DisputeNotice, Notice, RefundNotice } from '../providers/providers';
import { handlePaymentNotice } from './payments.service';

/**
 * Books a provider's notice once. Its signature has been verified. Throws OrderNotFound (unknown payment), WrongOrderState (the
 * payment's own notice has not come yet) and PaidAmountMismatch; the provider then repeats the notice.
 */
export function handleNotice(db: AppContext['db'], method: string, notice: Notice): Promise<string> {
  if (!('about' in notice)) return handlePaymentNotice(db, method, notice);
  return db.withTransaction((sql) =>
    notice.about === 'refund' ? bookRefund(sql, method, notice) : bookDispute(sql, method, notice),
  );
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
  const { payment_no, id, refund_no, state, amount = null, total = null, at = null, currency } = notice;
  const row = await sql.row<Payment>(
    'select id, order_id, currency from payments where payment_no = $1 and method = $2',
    [payment_no, method],
  );
  const payment = await locked(sql, row, currency);
  const shopRefund =
    refund_no &&
    (await sql.row<{ amount: number }>('select amount from payment_refunds where refund_no = $1 and payment_id = $2', [
      refund_no,
      payment.id,
    ]));
  if (shopRefund) {
    if (shopRefund.amount !== amount) throw new ShopError(ErrorCode.PaidAmountMismatch);
    const { ended } = await sql.one<{ ended: boolean }>('select payment_refund_end($1, $2, $3) as ended', [
      refund_no,
      state,
      state === 'done' ? '' : 'failed at the provider',
    ]);
    return ended ? state : 'duplicate';
  }
  if (state === 'failed' || !id) return 'nothing';
  const { result } = await sql.one<{ result: string }>('select provider_refund_book($1, $2, $3, $4, $5) as result', [
    payment.id,
    id,
    amount,
    total,
    at,
  ]);
  return result;
}

async function bookDispute(sql: Sql, method: string, notice: DisputeNotice): Promise<string> {
  const row = await sql.row<Payment>(
    'select id, order_id, currency from payments where provider_ref = $1 and method = $2',
    [notice.reference, method],
  );
  const payment = await locked(sql, row, notice.currency);
  const { result } = await sql.one<{ result: string }>('select dispute_book($1, $2, $3, $4, $5) as result', [
    payment.id,
    notice.id,
    notice.amount,
    notice.reason.slice(0, 100),
    notice.change,
  ]);
  return result;
}
