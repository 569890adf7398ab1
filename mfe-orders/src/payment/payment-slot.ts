import type { PaymentSlot } from '@shop/shared/payment';

/** Keeps an order's payment in this tab until its result is known. */
export function paymentSlot(orderNo: string): PaymentSlot {
  const key = `orders.payment.${orderNo}`;
  return {
    read: () => sessionStorage.getItem(key),
    write: (value) => sessionStorage.setItem(key, value),
    remove: () => sessionStorage.removeItem(key),
  };
}
