import type { PaymentSlot } from '@shop/shared/payment';

/** Where the payment of a recharge is remembered in this tab (sessionStorage) until its result is known. */
export const rechargePayment: PaymentSlot = {
  read: () => sessionStorage.getItem('account.recharge-payment'),
  write: (value) => sessionStorage.setItem('account.recharge-payment', value),
  remove: () => sessionStorage.removeItem('account.recharge-payment'),
};
