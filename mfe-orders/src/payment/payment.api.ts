import type { BalancePayment, OnlinePayment, PaymentMethod, PaymentStatus } from '@shop/server/wire';
import { get, post } from '@shop/shared/http';

export type { OnlinePayment, PaymentMethod, PaymentStatus };

const api = '/api/front';

export function payWithBalance(orderNo: string, idempotencyKey: string): Promise<BalancePayment> {
  return post(`${api}/payment/balance`, { order_no: orderNo }, { idempotencyKey, quiet: true });
}

export function payOnline(orderNo: string, method: string, idempotencyKey: string): Promise<OnlinePayment> {
  return post(`${api}/payment/online`, { order_no: orderNo, method }, { idempotencyKey, quiet: true });
}

export function getPayment(paymentNo: string): Promise<PaymentStatus> {
  return get(`${api}/payment/status`, { payment_no: paymentNo }, { quiet: true });
}
