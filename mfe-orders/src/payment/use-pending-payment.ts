import { useCallback, useEffect, useRef, useState } from 'react';
import { getPayment } from './payment.api';
import { readPending, writePending } from './pending-payment';

/** A provider's answer takes seconds; after a minute the shopper is told and asks by hand. */
const pollEveryMs = 2_000;
const pollTimes = 30;

export type PendingState = 'none' | 'checking' | 'waiting';

/** Asks how the online payment ended that the shopper left for; `onEnd` is told once. */
export function usePendingPayment(orderNo: string, isUnpaid: boolean, onEnd: (paid: boolean) => void) {
  const [paymentNo, setPaymentNo] = useState('');
  const [state, setState] = useState<PendingState>('none');
  const [round, setRound] = useState(0);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    const read = () => setPaymentNo(readPending(orderNo));
    read();
    // A cashier that is left by "back" shows the kept page, with the payment still open.
    window.addEventListener('pageshow', read);
    return () => window.removeEventListener('pageshow', read);
  }, [orderNo]);

  const forget = useCallback(() => {
    writePending(orderNo, '');
    setPaymentNo('');
    setState('none');
  }, [orderNo]);

  // `round` is the press on "check again".
  useEffect(() => {
    if (!paymentNo) return;
    if (!isUnpaid) return forget();
    let timer: ReturnType<typeof setTimeout>;
    let gone = false;
    let asked = 0;
    setState('checking');
    const ask = async () => {
      asked += 1;
      const found = await getPayment(paymentNo).then(
        (payment) => payment.state,
        () => 'unknown',
      );
      if (gone) return;
      if (found === 'paid' || found === 'failed' || found === 'closed') {
        forget();
        end.current(found === 'paid');
      } else if (asked < pollTimes) timer = setTimeout(ask, pollEveryMs);
      else setState('waiting');
    };
    void ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [paymentNo, isUnpaid, round, forget]);

  return {
    state,
    forget,
    checkAgain: () => setRound((count) => count + 1),
    start: (next: string) => {
      writePending(orderNo, next);
    },
  };
}
