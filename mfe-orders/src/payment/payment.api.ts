import type { BalancePayment, OnlinePayment, PaymentMethod, WalletProof, WalletProofBody } from '@shop/server/wire';
import { post } from '@shop/shared/http';

export type { PaymentMethod };

const api = '/api/front';

export function payWithBalance(orderNo: string, idempotencyKey: string): Promise<BalancePayment> {
  return post(`${api}/payment/balance`, { order_no: orderNo }, { idempotencyKey, quiet: true });
}

/** Lets this session pay from the wallet for some minutes. */
export function proveForWallet(proof: WalletProofBody): Promise<WalletProof> {
  return post(`${api}/payment/proof`, proof, { quiet: true });
}

export function payOnline(orderNo: string, method: string, idempotencyKey: string): Promise<OnlinePayment> {
  return post(`${api}/payment/online`, { order_no: orderNo, method }, { idempotencyKey, quiet: true });
}
