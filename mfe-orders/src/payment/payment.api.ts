import { post } from '@shop/shared/http';
import { getQuery } from '@shop/shared/query';

/** An order's payment is kept in this tab until its result is known. */
export const paymentKey = (orderNo: string): string => `orders.payment.${orderNo}`;

export const payWithBalance = (order_no: string, idempotencyKey: string) =>
  post('/api/front/payment/balance', { order_no }, { idempotencyKey, quiet: true });

export const goodsInfoQuery = (id: number) => getQuery(['orders', 'goods', id], '/api/front/goods/info', { id });

export const paymentMethodsQuery = getQuery(['orders', 'payment-methods'], '/api/front/payment/methods', {
  scene: 'order',
});
