import type { AppContext } from '../../src/context';
import { deliverOrder, orderForStaff } from '../../src/orders/deliver-order.service';
import {
  type OrderRefund,
  type OrderRefundRequest,
  refundOrder,
  sendOrderRefund,
} from '../../src/payments/refund-order.service';
import { payBack, sendRefunds } from '../../src/payments/refund-payment.service';
import { randomNumber } from '../../src/platform/crypto/tokens';

/** An order's refund, to the wallet unless said otherwise, without the second person whom staff may need. */
export async function refund(
  context: AppContext,
  orderNo: string,
  wish: Partial<OrderRefundRequest> = {},
): Promise<OrderRefund> {
  const whole = {
    orderNo,
    target: 'wallet',
    reason: 'test',
    revealedOk: true,
    refundNo: randomNumber(),
    ...wish,
  } as const;
  await context.db.withTransaction((sql) => refundOrder(context, sql, whole));
  return sendOrderRefund(context, whole.refundNo);
}

/** Money out of the wallet, back to where a payment came from; answers the refund's number. */
export async function paidBack(context: AppContext, paymentNo: string, amount: number): Promise<string> {
  const refundNo = randomNumber();
  await context.db.withTransaction((sql) =>
    payBack(context, sql, { paymentNo, amount, refundNo, reason: 'test', actor: 'test' }),
  );
  await sendRefunds(context, refundNo).catch(() => {});
  return refundNo;
}

/** By hand, as the queue does it. false: the order does not wait for it. */
export const deliver = ({ db }: AppContext, orderNo: string, note = ''): Promise<boolean> =>
  db.withTransaction(async (sql) => deliverOrder(sql, await orderForStaff(sql, orderNo), note));
