import type { PaymentSlot } from '@shop/shared/payment';

/** Keeps the payment of a recharge in this tab (sessionStorage) until its result is known. */
export const rechargePayment: PaymentSlot = {
  read: () => sessionStorage.getItem('account.recharge-payment'),
  write: (value) => sessionStorage.setItem('account.recharge-payment', value),
  remove: () => sessionStorage.removeItem('account.recharge-payment'),
};
