/** What paying an order and topping up a wallet have in common. No singleton: each remote carries what it uses. */
export { type PendingPayment, readPending, toPending, writePending } from './pending-payment';
export { QrCode, type QrCodeProps } from './qr-code';
export { leave, webAddress } from './web-address';
