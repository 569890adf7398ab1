import type { BalancePayment, OnlinePayment, PaymentMethod } from '@shop/server/wire';
import { post } from '@shop/shared/http';

export type { OnlinePayment, PaymentMethod };

const api = '/api/front';

export function payWithBalance(orderNo: string, idempotencyKey: string): Promise<BalancePayment> {
  return post(`${api}/payment/balance`, { order_no: orderNo }, { idempotencyKey, quiet: true });
}

export function payOnline(orderNo: string, method: string, idempotencyKey: string): Promise<OnlinePayment> {
  return post(`${api}/payment/online`, { order_no: orderNo, method }, { idempotencyKey, quiet: true });
}
