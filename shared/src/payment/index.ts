/** Shared by order payments and wallet recharges. Not a singleton: each remote bundles the parts it imports. */
export { holdDocument } from './hold-document';
export { measuredTime } from './measured-time';
export { QrCode } from './qr-code';
export { RedeemSteps } from './redeem-steps';
export { useOrderAgain, type WalletStep } from './use-order-again';
export {
  type PaymentResult,
  type PendingPayment,
  readPending,
  toPending,
  usePaymentResult,
  writePending,
} from './use-payment-result';
export { useSingleFlight } from './use-single-flight';
export { leave, webAddress } from './web-address';
export { withIdempotencyKey } from './with-idempotency-key';
