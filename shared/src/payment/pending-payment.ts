/** An online payment whose end is not known yet: found again after the cashier, a reload and the way back. */
export interface PendingPayment {
  paymentNo: string;
  /** What to show as a QR code; empty when the shopper left for a cashier's page. */
  qr: string;
  /** ISO time after which the code is worthless; empty where the provider names none. */
  until: string;
}

/** Kept for this tab only, under the caller's own key. */
export function readPending(key: string): PendingPayment | null {
  try {
    const stored = sessionStorage.getItem(key);
    if (!stored) return null;
    // Releases before payments by QR code stored a number alone.
    if (!stored.startsWith('{')) return { paymentNo: stored, qr: '', until: '' };
    const { paymentNo, qr, until } = JSON.parse(stored) as Partial<PendingPayment>;
    return paymentNo ? { paymentNo, qr: qr ?? '', until: until ?? '' } : null;
  } catch {
    return null;
  }
}

/** Null forgets it. */
export function writePending(key: string, pending: PendingPayment | null): void {
  try {
    if (pending) sessionStorage.setItem(key, JSON.stringify(pending));
    else sessionStorage.removeItem(key);
  } catch {
    // Storage may be shut; what was paid for is then read on return.
  }
}

/** What the answer of payment/online becomes while it is waited for. */
export function toPending(payment: {
  payment_no: string;
  mode: string;
  pay_url: string;
  expire_at: string;
}): PendingPayment {
  return {
    paymentNo: payment.payment_no,
    qr: payment.mode === 'qr' ? payment.pay_url : '',
    until: payment.expire_at,
  };
}
