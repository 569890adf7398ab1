import type { WalletProofBody } from '@shop/server/wire';
import { post } from '@shop/shared/http';

const api = '/api/front/payment';

export const payWithBalance = (order_no: string, idempotencyKey: string) =>
  post(`${api}/balance`, { order_no }, { idempotencyKey, quiet: true });
/** Lets this session pay from the wallet for some minutes. */
export const proveForWallet = (proof: WalletProofBody) => post(`${api}/proof`, proof, { quiet: true });
export const payOnline = (order_no: string, method: string, idempotencyKey: string) =>
  post(`${api}/online`, { order_no, method }, { idempotencyKey, quiet: true });
