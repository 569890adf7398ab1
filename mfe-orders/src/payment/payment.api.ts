import type { WalletProofBody } from '@shop/server/wire';
import { post } from '@shop/shared/http';

const api = '/api/front';
/** An order's payment is kept in this tab until its result is known. */
export const paymentKey = (orderNo: string): string => `orders.payment.${orderNo}`;

export const payWithBalance = (order_no: string, idempotencyKey: string) =>
  post(`${api}/payment/balance`, { order_no }, { idempotencyKey, quiet: true });
/** Lets this session pay from the wallet for some minutes. */
export const proveForWallet = (proof: WalletProofBody) => post(`${api}/payment/proof`, proof, { quiet: true });
export const payOnline = (order_no: string, method: string, idempotencyKey: string) =>
  post(`${api}/payment/online`, { order_no, method }, { idempotencyKey, quiet: true });
