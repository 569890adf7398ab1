import type { PaymentStatus } from '@shop/server/wire';
import { isApiError } from '@shop/shared/http';
import { type PendingPayment, readPending, writePending } from '@shop/shared/payment';
import { invalidate } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { useEffect, useState } from 'react';
import { fetchPayment } from '../account.api';

const storageKey = 'account.recharge-payment';
const pollMs = 1_500;
const pollAttempts = 20;
/** A code on the screen is scanned when its reader is at hand: it is followed for a quarter of an hour. */
const scanAttempts = 600;

export function rememberPayment(payment: PendingPayment): void {
  writePending(storageKey, payment);
}

export interface RechargeResult {
  state: 'none' | 'checking' | 'pending' | 'paid' | 'failed';
  payment: PaymentStatus | null;
  /** What to show as a QR code while the payment is waited for. */
  qr: string;
  checkAgain(): void;
  dismiss(): void;
}

/** What became of the payment that the shopper left for or scans: asks until it has ended, half a minute for a cashier. */
export function useRechargeResult(): RechargeResult {
  const session = useSession();
  const [round, setRound] = useState(0);
  const [state, setState] = useState<RechargeResult['state']>('none');
  const [payment, setPayment] = useState<PaymentStatus | null>(null);
  const [qr, setQr] = useState('');
  useEffect(() => {
    const left = readPending(storageKey);
    if (!left) return;
    setQr(left.qr);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const end = (next: RechargeResult['state']) => {
      writePending(storageKey, null);
      setQr('');
      setState(next);
    };
    const ask = async (attempt: number) => {
      try {
        const answer = await fetchPayment(left.paymentNo);
        if (stopped) return;
        setPayment(answer);
        if (answer.state === 'paid') {
          end('paid');
          await Promise.allSettled([session.refreshUser(), invalidate(['account'])]);
          return;
        }
        if (answer.state !== 'pending') return end('failed');
      } catch (error) {
        if (stopped) return;
        // Somebody else's payment, for example after another sign-in; a fault of the network is asked again.
        if (isApiError(error) && error.kind === 'business') return end('none');
      }
      if (attempt >= (left.qr ? scanAttempts : pollAttempts)) setState('pending');
      else timer = setTimeout(() => void ask(attempt + 1), pollMs);
    };
    setState('checking');
    void ask(1);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [round, session]);
  return {
    state,
    payment,
    qr,
    checkAgain: () => setRound((value) => value + 1),
    dismiss: () => {
      writePending(storageKey, null);
      setQr('');
      setState('none');
    },
  };
}
