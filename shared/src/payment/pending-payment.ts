/** An online payment with an unknown result: it is kept for the return from the cashier, a reload and Back. */
export interface PendingPayment {
  paymentNo: string;
  /** Content of the QR code; empty when the user left for a cashier's page. */
  qr: string;
}

/** The payment that this tab keeps under a key of the remote. */
export function readPending(key: string): PendingPayment | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as PendingPayment | null;
  } catch {
    return null;
  }
}

/** Null removes it. */
export function writePending(key: string, pending: PendingPayment | null): void {
  try {
    if (pending) sessionStorage.setItem(key, JSON.stringify(pending));
    else sessionStorage.removeItem(key);
  } catch {
    // Storage may be blocked; the order then shows the result on return.
  }
}

export function toPending(payment: { payment_no: string; mode: string; pay_url: string }): PendingPayment {
  return { paymentNo: payment.payment_no, qr: payment.mode === 'qr' ? payment.pay_url : '' };
}
