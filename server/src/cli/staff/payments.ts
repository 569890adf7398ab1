import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../../context';
import { reconcile } from '../../payments/reconcile.service';
import { refundPayment } from '../../payments/refund-payment.service';
import { staffActor } from '../../platform/audit/audit';
import { messageOf, shopErrorOf } from '../../platform/http/errors';
import { fromWire, toWire } from '../../platform/http/money';
import { StaffError } from './common';

/** Payments of an order or a recharge, or the one of this number, with what was paid back. */
export async function payments({ db }: AppContext, number: string) {
  const rows = await db.rows<{ amount: number; paid_back: number; refunded_by_provider: number }>(
    `select p.payment_no, p.method, p.state, p.amount, p.currency, p.provider_ref, p.created_at, p.ended_at,
            coalesce((select sum(amount) from payment_refunds where payment_id = p.id and state = 'done'), 0)::bigint as paid_back,
            coalesce((select sum(amount) from provider_refunds where payment_id = p.id), 0)::bigint as refunded_by_provider,
            (select string_agg(provider_id || ' ' || state || ' ' || reason, '; ' order by id) from payment_disputes where payment_id = p.id) as disputes,
            (select string_agg(refund_no || ' ' || state || ' ' || detail, '; ' order by id) from payment_refunds where payment_id = p.id) as refunds
       from payments p left join orders o on o.id = p.order_id left join recharges r on r.id = p.recharge_id
      where $1 in (p.payment_no, o.order_no, r.recharge_no) order by p.id`,
    [number],
  );
  return rows.map((row) => ({
    ...row,
    amount: toWire(row.amount),
    paid_back: toWire(row.paid_back),
    refunded_by_provider: toWire(row.refunded_by_provider),
  }));
}

/** Compares the providers' lists of a day with the ledger and names every difference. */
export async function reconcileDay(context: AppContext, day: string, json: boolean) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new StaffError(`"${day}" is not a day like 2026-01-31.`);
  const results = await reconcile(context, day);
  if (json) return results;
  if (results.length === 0) return 'No payment method has a list to compare with.';
  const shown = (amount: number | null) => (amount === null ? '' : toWire(amount));
  const rows = results.flatMap(({ method, differences }) =>
    differences.map((one) => ({ method, ...one, listed: shown(one.listed), booked: shown(one.booked) })),
  );
  return rows.length > 0
    ? rows
    : results.map((one) => `${one.method}: ${one.entries} entries, no difference.`).join('\n');
}

/** From the wallet back to where the payment's money came from; answers what has become of it. */
export async function payBack(context: AppContext, paymentNo: string, amount: string, reason: string): Promise<string> {
  const minor = fromWire(amount);
  if (!minor) throw new StaffError(`"${amount}" is not an amount like 12.34.`);
  const refundNo = await refundPayment(context, { paymentNo, amount: minor, reason, actor: staffActor().actor }).catch(
    (error) => {
      const known = shopErrorOf(error);
      throw known ? new StaffError(payBackFaults[known.code] ?? messageOf(known.code, 'en')) : error;
    },
  );
  const { state, detail } = await context.db.one<{ state: string; detail: string }>(
    'select state, detail from payment_refunds where refund_no = $1',
    [refundNo],
  );
  if (state === 'failed') throw new StaffError(`The provider refused, the wallet has the money again: ${detail}`);
  return state === 'done'
    ? `Paid back under ${refundNo}.`
    : `Pending as ${refundNo}; the shop asks the provider until it is done.`;
}

const payBackFaults: Partial<Record<number, string>> = {
  [ErrorCode.OrderNotFound]: 'There is no such payment.',
  [ErrorCode.WrongOrderState]: 'This payment brought no money.',
  [ErrorCode.BalanceTooLow]: 'The wallet holds less. Refund the order first: it pays into the wallet.',
  [ErrorCode.PaymentMethodUnavailable]: 'This method can not pay back, or is not configured.',
  [ErrorCode.OrderDisputed]: 'This payment is disputed: the provider decides where its money goes.',
  [ErrorCode.PaidAmountMismatch]: 'That is more than is left of this payment.',
};
