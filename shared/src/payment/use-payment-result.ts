import type { PaymentStatus } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { get, isApiError } from '@shop/shared/http';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { holdDocument } from './hold-document';

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

const pollEveryMs = 2_000;
/** A provider answers within seconds; after a minute the user checks by hand. */
const pollsOfCashier = 30;
/** The user needs time to scan a QR code: it is polled for a quarter of an hour. */
const pollsOfQrCode = 450;

export interface PaymentResult {
  /** `waiting`: polling has ended, the user may check again. */
  state: 'none' | 'checking' | 'waiting' | 'paid' | 'failed';
  payment: PaymentStatus | null;
  qr: string;
  /** Remembers a payment before the redirect; a payment by QR code is polled at once. */
  start: (payment: PendingPayment) => void;
  checkAgain: () => void;
  forget: () => void;
}

/**
 * The result of the online payment that this tab keeps under `key`, read on mount and on the return from a cashier. Polls at once when the connection
 * or the tab is back. `onEnd` is called once; another user's payment is forgotten without it.
 */
export function usePaymentResult(key: string, onEnd: (state: 'paid' | 'failed') => void): PaymentResult {
  const [pending, setPending] = useState<PendingPayment | null>(null);
  const [payment, setPayment] = useState<PaymentStatus | null>(null);
  const [ended, setEnded] = useState<'paid' | 'failed' | null>(null);
  const [isWaiting, setWaiting] = useState(false);
  const reportEnd = useEffectEvent(onEnd);

  const follow = useCallback((next: PendingPayment | null) => {
    setPending(next);
    if (next) setEnded(null);
  }, []);
  const forget = useCallback(() => {
    writePending(key, null);
    setPending(null);
    setEnded(null);
  }, [key]);

  useEffect(() => {
    const read = () => follow(readPending(key));
    read();
    window.addEventListener('pageshow', read);
    return () => window.removeEventListener('pageshow', read);
  }, [key, follow]);

  useEffect(() => {
    if (!pending) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    let isAsking = false;
    let polls = 0;
    setWaiting(false);
    const finish = (state: 'paid' | 'failed') => {
      writePending(key, null);
      setPending(null);
      setEnded(state);
      reportEnd(state);
    };
    const ask = async () => {
      clearTimeout(timer);
      if (isAsking) return;
      isAsking = true;
      polls += 1;
      let isSignedOut = false;
      try {
        const answer = await get('/api/front/payment/status', { payment_no: pending.paymentNo }, { quiet: true });
        if (isStopped) return;
        setPayment(answer);
        if (answer.state !== 'pending') return finish(answer.state === 'paid' ? 'paid' : 'failed');
      } catch (error) {
        if (isStopped) return;
        // It belongs to another user, for example after another sign-in. Other failures may be temporary.
        if (isApiError(error, ErrorCode.OrderNotFound)) return forget();
        isSignedOut = isApiError(error, ErrorCode.Unauthorized);
      } finally {
        isAsking = false;
      }
      if (isSignedOut || polls >= (pending.qr ? pollsOfQrCode : pollsOfCashier)) setWaiting(true);
      else if (!document.hidden) timer = setTimeout(ask, pollEveryMs);
    };
    const wake = () => {
      if (document.hidden) return;
      polls = 0;
      setWaiting(false);
      void ask();
    };
    void ask();
    window.addEventListener('online', wake);
    document.addEventListener('visibilitychange', wake);
    return () => {
      isStopped = true;
      clearTimeout(timer);
      window.removeEventListener('online', wake);
      document.removeEventListener('visibilitychange', wake);
    };
  }, [pending, key, forget]);

  useEffect(() => (pending && !isWaiting ? holdDocument() : undefined), [pending, isWaiting]);

  return {
    state: ended ?? (pending ? (isWaiting ? 'waiting' : 'checking') : 'none'),
    payment,
    qr: pending?.qr ?? '',
    start: (next) => {
      writePending(key, next);
      if (next.qr) follow(next);
    },
    // A new object restarts the polling.
    checkAgain: () => setPending((current) => current && { ...current }),
    forget,
  };
}
