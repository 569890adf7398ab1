import { get } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

export const goodsInfoQuery = (id: number) =>
  queryOptions({
    queryKey: ['orders', 'goods', id],
    queryFn: () => get('/api/front/goods/info', { id }, { quiet: true }),
  });

export const paymentMethodsQuery = queryOptions({
  queryKey: ['orders', 'payment-methods'],
  queryFn: () => get('/api/front/payment/methods', { scene: 'order' }, { quiet: true }),
});
