import { get, post } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

/** An order's payment is kept in this tab until its result is known. */
export const paymentKey = (orderNo: string): string => `orders.payment.${orderNo}`;

export const payWithBalance = (order_no: string, idempotencyKey: string) =>
  post('/api/front/payment/balance', { order_no }, { idempotencyKey, quiet: true });

export const goodsInfoQuery = (id: number) =>
  queryOptions({
    queryKey: ['orders', 'goods', id],
    queryFn: () => get('/api/front/goods/info', { id }, { quiet: true }),
  });

export const paymentMethodsQuery = queryOptions({
  queryKey: ['orders', 'payment-methods'],
  queryFn: () => get('/api/front/payment/methods', { scene: 'order' }, { quiet: true }),
});
