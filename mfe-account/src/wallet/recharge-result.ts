import type { PaymentStatus } from '@shop/server/wire';
import { isApiError } from '@shop/shared/http';
import { invalidate } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { useEffect, useState } from 'react';
import { fetchPayment } from '../account.api';

const storageKey = 'account.recharge-payment';
const pollMs = 1_500;
const pollAttempts = 20;

export function rememberPayment(paymentNo: string): void {
  sessionStorage.setItem(storageKey, paymentNo);
}

export interface RechargeResult {
  state: 'none' | 'checking' | 'pending' | 'paid' | 'failed';
  payment: PaymentStatus | null;
  checkAgain(): void;
  dismiss(): void;
}

/** What became of the payment that the shopper left for: asks until it has ended, for half a minute at most. */
export function useRechargeResult(): RechargeResult {
  const session = useSession();
  const [round, setRound] = useState(0);
  const [state, setState] = useState<RechargeResult['state']>('none');
  const [payment, setPayment] = useState<PaymentStatus | null>(null);
  useEffect(() => {
    const paymentNo = sessionStorage.getItem(storageKey);
    if (!paymentNo) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const end = (next: RechargeResult['state']) => {
      sessionStorage.removeItem(storageKey);
      setState(next);
    };
    const ask = async (attempt: number) => {
      try {
        const answer = await fetchPayment(paymentNo);
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
      if (attempt >= pollAttempts) setState('pending');
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
    checkAgain: () => setRound((value) => value + 1),
    dismiss: () => {
      sessionStorage.removeItem(storageKey);
      setState('none');
    },
  };
}
