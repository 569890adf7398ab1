import type { WalletProofBody } from '@shop/server/wire';
import { get, post } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

const api = '/api/front';
/** An order's payment is kept in this tab until its result is known. */
export const paymentKey = (orderNo: string): string => `orders.payment.${orderNo}`;

export const payWithBalance = (order_no: string, idempotencyKey: string) =>
  post(`${api}/payment/balance`, { order_no }, { idempotencyKey, quiet: true });
/** Lets this session pay from the wallet for some minutes. */
export const proveForWallet = (proof: WalletProofBody) => post(`${api}/payment/proof`, proof, { quiet: true });
export const payOnline = (order_no: string, method: string, idempotencyKey: string) =>
  post(`${api}/payment/online`, { order_no, method }, { idempotencyKey, quiet: true });

export const goodsInfoQuery = (id: number) =>
  queryOptions({
    queryKey: ['orders', 'goods', id],
    queryFn: () => get('/api/front/goods/info', { id }, { quiet: true }),
  });

export const paymentMethodsQuery = queryOptions({
  queryKey: ['orders', 'payment-methods'],
  queryFn: () => get('/api/front/payment/methods', { scene: 'order' }, { quiet: true }),
});
