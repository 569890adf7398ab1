/** What paying an order and topping up a wallet have in common. No singleton: each remote carries what it uses. */
export { type PendingPayment, readPending, toPending, writePending } from './pending-payment';
export { QrCode, type QrCodeProps } from './qr-code';
export { type PaymentResult, usePaymentResult } from './use-payment-result';
export { type SingleFlight, useSingleFlight } from './use-single-flight';
export { leave, webAddress } from './web-address';
export { withIdempotencyKey } from './with-idempotency-key';
