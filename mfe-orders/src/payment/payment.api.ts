import { getQuery, post } from '@shop/shared/http';

/** An order's payment is kept in this tab until its result is known. */
export const paymentKey = (orderNo: string): string => `orders.payment.${orderNo}`;

export const payWithBalance = (order_no: string, idempotencyKey: string) =>
  post('/api/front/payment/balance', { order_no }, { idempotencyKey, quiet: true });

export const goodsInfoQuery = (id: number) => getQuery('/api/front/goods/info', ['orders', 'goods', id], { id });

export const paymentMethodsQuery = getQuery('/api/front/payment/methods', ['orders', 'payment-methods'], {
  scene: 'order',
});
