import type { AppContext } from '../../src/context';
import { deliverOrder, orderForStaff } from '../../src/orders/deliver-order.service';
import { payBack, sendRefunds } from '../../src/payments/provider-calls.service';
import {
  type OrderRefund,
  type OrderRefundRequest,
  refundOrder,
  sendOrderRefund,
} from '../../src/payments/refund-order.service';
import { randomNumber } from '../../src/platform/crypto/tokens';

/** Refunds an order, by default to the wallet, without the second member of staff that may be required. */
export async function refund(
  context: AppContext,
  orderNo: string,
  request: Partial<OrderRefundRequest> = {},
): Promise<OrderRefund> {
  const whole = {
    order_no: orderNo,
    target: 'wallet',
    reason: 'test',
    revealed_ok: true,
    refund_no: randomNumber(),
    ...request,
  } as const;
  await context.db.withTransaction((sql) => refundOrder(context, sql, whole));
  return sendOrderRefund(context, whole.refund_no);
}

export async function paidBack(context: AppContext, paymentNo: string, amount: number): Promise<string> {
  const refundNo = randomNumber();
  await context.db.withTransaction((sql) =>
    payBack(context, sql, { paymentNo, amount, refundNo, reason: 'test', actor: 'test' }),
  );
  await sendRefunds(context, refundNo).catch(() => {});
  return refundNo;
}

/** Delivers manually, as the staff queue does. Returns false if the order does not wait for delivery. */
export const deliver = ({ db }: AppContext, orderNo: string, note = ''): Promise<boolean> =>
  db.withTransaction(async (sql) => deliverOrder(sql, await orderForStaff(sql, orderNo), note));
