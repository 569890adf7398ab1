/** An online payment with an unknown result: it is kept for the return from the cashier, a reload and Back. */
export interface PendingPayment {
  paymentNo: string;
  /** Content of the QR code; empty when the user left for a cashier's page. */
  qr: string;
  /** ISO time after which the code is invalid; empty if the provider sets none. */
  until: string;
}

/** Storage of this tab under a key of the remote, which the remote's code contains as a literal so that its build can check it. */
export interface PaymentSlot {
  read(): string | null;
  write(value: string): void;
  remove(): void;
}

export function readPending(slot: PaymentSlot): PendingPayment | null {
  try {
    const stored = slot.read();
    if (!stored) return null;
    // Releases before payments by QR code stored only a number.
    if (!stored.startsWith('{')) return { paymentNo: stored, qr: '', until: '' };
    const { paymentNo, qr, until } = JSON.parse(stored) as Partial<PendingPayment>;
    return paymentNo ? { paymentNo, qr: qr ?? '', until: until ?? '' } : null;
  } catch {
    return null;
  }
}

/** Null removes it. */
export function writePending(slot: PaymentSlot, pending: PendingPayment | null): void {
  try {
    if (pending) slot.write(JSON.stringify(pending));
    else slot.remove();
  } catch {
    // Storage may be blocked; the order then shows the result on return.
  }
}

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
