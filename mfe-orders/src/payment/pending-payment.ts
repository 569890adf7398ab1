/** The online payment that the shopper left for, by order: found again when the cashier sends them back. */
const prefix = 'orders.payment.';

export function readPending(orderNo: string): string {
  try {
    return sessionStorage.getItem(prefix + orderNo) ?? '';
  } catch {
    return '';
  }
}

export function writePending(orderNo: string, paymentNo: string): void {
  try {
    if (paymentNo) sessionStorage.setItem(prefix + orderNo, paymentNo);
    else sessionStorage.removeItem(prefix + orderNo);
  } catch {
    // Storage may be shut; the order itself is then read on return.
  }
}
