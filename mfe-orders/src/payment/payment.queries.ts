import { get } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

export const paymentMethodsQuery = queryOptions({
  queryKey: ['orders', 'payment-methods'],
  queryFn: () => get('/api/front/payment/methods', { scene: 'order' }, { quiet: true }),
});
