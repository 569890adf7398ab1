/** An online payment whose end is not known yet: found again after the cashier, a reload and the way back. */
export interface PendingPayment {
  paymentNo: string;
  /** What to show as a QR code; empty when the shopper left for a cashier's page. */
  qr: string;
  /** ISO time after which the code is worthless; empty where the provider names none. */
  until: string;
}

/** Storage of this tab under a key of the remote's own, which the remote's code names so that its build can check it. */
export interface PaymentSlot {
  read(): string | null;
  write(value: string): void;
  remove(): void;
}

export function readPending(slot: PaymentSlot): PendingPayment | null {
  try {
    const stored = slot.read();
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
export function writePending(slot: PaymentSlot, pending: PendingPayment | null): void {
  try {
    if (pending) slot.write(JSON.stringify(pending));
    else slot.remove();
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
