import { ErrorCode } from '@shop/shared/domain';
import { ApiError } from '@shop/shared/http';
import { leave, type PendingPayment, toPending, webAddress } from '@shop/shared/payment';
import { useShown } from '@shop/shared/routing';
import { toast } from '@shop/shared/ui';
import { useEffect, useRef, useState } from 'react';
import type { Order } from '../order/order';
import { type TextKey, useTexts } from '../texts';
import { withIntent } from './intents';
import { payOnline, payWithBalance } from './payment.api';

const problemKey: Record<number, TextKey> = {
  [ErrorCode.RequestInProgress]: 'pay.inProgress',
  [ErrorCode.OrderClosed]: 'pay.closed',
  [ErrorCode.BalanceTooLow]: 'pay.tooLowText',
  [ErrorCode.WalletFrozen]: 'pay.frozen',
  [ErrorCode.PaymentMethodUnavailable]: 'pay.methodOff',
};

interface PayEvents {
  onMoved: () => Promise<void>;
  /** The shopper is about to leave for the payment's page, or to scan its code here. */
  onPending: (payment: PendingPayment) => void;
  onMethodOff: () => void;
}

/** Pays the order once, however often the button is pressed. */
export function usePay(order: Order, { onMoved, onPending, onMethodOff }: PayEvents) {
  const { t } = useTexts();
  const running = useRef(false);
  const shown = useShown();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<{ code: number; text: string } | null>(null);
  const stop = () => {
    running.current = false;
    setBusy(false);
  };
  useEffect(() => {
    // The page may come back as it was left, with the button still turning.
    const back = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      running.current = false;
      setBusy(false);
    };
    window.addEventListener('pageshow', back);
    return () => window.removeEventListener('pageshow', back);
  }, []);

  const byBalance = async () => {
    await withIntent(`balance:${order.order_no}`, (key) => payWithBalance(order.order_no, key));
    toast.success(t('pay.success'));
    await onMoved();
  };
  /** True when the browser is on its way out. */
  const online = async (method: string): Promise<boolean> => {
    const intent = `${method}:${order.order_no}`;
    const payment = await withIntent(intent, (key) => payOnline(order.order_no, method, key));
    // Gone meanwhile: nobody is pulled to a cashier from another page.
    if (!shown.current) return false;
    if (payment.mode === 'qr') {
      onPending(toPending(payment));
      return false;
    }
    const address = webAddress(payment.pay_url);
    if (!address) {
      setRefusal({ code: 0, text: t('pay.badAddress') });
      return false;
    }
    onPending(toPending(payment));
    leave.to(address);
    return true;
  };
  const refuse = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === ErrorCode.Unauthorized || error.code === ErrorCode.Forbidden) return;
    const isUnknown = error.kind !== 'business';
    const key = isUnknown ? 'pay.unknown' : problemKey[error.code];
    setRefusal({ code: error.code, text: key ? t(key) : error.message || t('pay.failed') });
    if (error.code === ErrorCode.OrderClosed) toast.error(t('pay.closed'));
    if (error.code === ErrorCode.OrderClosed || error.code === ErrorCode.WrongOrderState || isUnknown) void onMoved();
    if (error.code === ErrorCode.PaymentMethodUnavailable) onMethodOff();
  };
  const start = async (method: string) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setRefusal(null);
    let isLeaving = false;
    try {
      if (method === 'balance') await byBalance();
      else isLeaving = await online(method);
    } catch (error) {
      refuse(error);
    } finally {
      if (!isLeaving) stop();
    }
  };
  return {
    start: (method: string) => void start(method),
    isBusy,
    problem: refusal?.text ?? '',
    offersRecharge: refusal?.code === ErrorCode.BalanceTooLow,
  };
}
