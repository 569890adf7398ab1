import { type PendingPayment, readPending, writePending } from '@shop/shared/payment';
import { useCallback, useEffect, useRef, useState } from 'react';
import { getPayment } from './payment.api';

/** A provider's answer takes seconds; after a minute the shopper is told and asks by hand. */
const pollEveryMs = 2_000;
const pollTimes = 30;
/** A code on the screen is scanned when its reader is at hand: it is followed until it is worthless. */
const scanTimes = 450;

export type PendingState = 'none' | 'checking' | 'waiting';

const keyOf = (orderNo: string): string => `orders.payment.${orderNo}`;

/** Asks how the online payment ended that the shopper left for or scans; `onEnd` is told once. */
export function usePendingPayment(orderNo: string, isUnpaid: boolean, onEnd: (paid: boolean) => void) {
  const [payment, setPayment] = useState<PendingPayment | null>(null);
  const [state, setState] = useState<PendingState>('none');
  const [round, setRound] = useState(0);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    const read = () => setPayment(readPending(keyOf(orderNo)));
    read();
    // A cashier that is left by "back" shows the kept page, with the payment still open.
    window.addEventListener('pageshow', read);
    return () => window.removeEventListener('pageshow', read);
  }, [orderNo]);

  const forget = useCallback(() => {
    writePending(keyOf(orderNo), null);
    setPayment(null);
    setState('none');
  }, [orderNo]);

  // `round` is the press on "check again".
  useEffect(() => {
    if (!payment) return;
    if (!isUnpaid) return forget();
    let timer: ReturnType<typeof setTimeout>;
    let gone = false;
    let asked = 0;
    setState('checking');
    const ask = async () => {
      asked += 1;
      const found = await getPayment(payment.paymentNo).then(
        (answer) => answer.state,
        () => 'unknown',
      );
      if (gone) return;
      if (found === 'paid' || found === 'failed' || found === 'closed') {
        forget();
        end.current(found === 'paid');
      } else if (asked < (payment.qr ? scanTimes : pollTimes)) timer = setTimeout(ask, pollEveryMs);
      else setState('waiting');
    };
    void ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [payment, isUnpaid, round, forget]);

  return {
    state,
    /** What to show as a QR code, while one is waited for. */
    qr: payment?.qr ?? '',
    forget,
    checkAgain: () => setRound((count) => count + 1),
    /** The shopper leaves for the cashier's page, or stays and scans. */
    start: (next: PendingPayment) => {
      writePending(keyOf(orderNo), next);
      if (next.qr) setPayment(next);
    },
  };
}
