import { ErrorCode, type WalletProofRequest } from '@shop/shared/domain';
import { ApiError, isApiError, post } from '@shop/shared/http';
import {
  leave,
  type PendingPayment,
  toPending,
  useSingleFlight,
  webAddress,
  withIdempotencyKey,
} from '@shop/shared/payment';
import { useShown } from '@shop/shared/routing';
import { toast } from '@shop/shared/ui';
import { useEffect, useRef, useState } from 'react';
import type { Order } from '../order/order';
import { type TextKey, useTexts } from '../texts';
import { payWithBalance } from './payment.api';

const problemKey: Record<number, TextKey> = {
  [ErrorCode.RequestInProgress]: 'pay.inProgress',
  [ErrorCode.OrderClosed]: 'pay.closed',
  [ErrorCode.BalanceTooLow]: 'pay.tooLowText',
  [ErrorCode.WalletFrozen]: 'pay.frozen',
  [ErrorCode.PaymentMethodUnavailable]: 'pay.methodOff',
};

interface PayEvents {
  onMoved: () => Promise<void>;
  /** Called before the redirect to the cashier, or when there is a QR code to show. */
  onPending: (payment: PendingPayment) => void;
  onMethodOff: () => void;
}

export function usePay(order: Order, { onMoved, onPending, onMethodOff }: PayEvents) {
  const { t } = useTexts();
  const shown = useShown();
  const [refusal, setRefusal] = useState<{ code: number; text: string } | null>(null);

  /** It stays while its sheet closes, which keeps its texts. */
  const [proof, setProof] = useState<{ request: WalletProofRequest; isOpen: boolean } | null>(null);
  const answerProof = useRef<(isProved: boolean) => void>(undefined);
  const askForProof = (request: WalletProofRequest) =>
    new Promise<boolean>((resolve) => {
      answerProof.current = (isProved) => {
        setProof({ request, isOpen: false });
        resolve(isProved);
      };
      setProof({ request, isOpen: true });
    });
  // When the page is gone, the open question counts as refused.
  useEffect(() => () => answerProof.current?.(false), []);

  /** The key is the same before and after the proof, so that nothing is paid twice. */
  const payProved = async (key: string) => {
    for (;;) {
      try {
        return await payWithBalance(order.order_no, key);
      } catch (error) {
        if (!isApiError(error, ErrorCode.WalletProofRequired)) throw error;
        if (!(await askForProof(error.data as WalletProofRequest))) throw error;
      }
    }
  };
  const byBalance = async () => {
    await withIdempotencyKey(`pay:balance:${order.order_no}`, payProved);
    await onMoved();
  };
  const online = async (method: string) => {
    const payment = await withIdempotencyKey(`pay:${method}:${order.order_no}`, (idempotencyKey) =>
      post('/api/front/payment/online', { order_no: order.order_no, method }, { idempotencyKey, quiet: true }),
    );
    if (!shown.current) return;
    if (payment.mode === 'qr') return onPending(toPending(payment));
    const address = webAddress(payment.pay_url);
    if (!address) return setRefusal({ code: 0, text: t('pay.badAddress') });
    onPending(toPending(payment));
    await leave.to(address);
  };
  const refuse = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === ErrorCode.Unauthorized || error.code === ErrorCode.Forbidden) return;
    // Without a connection the HTTP client sends nothing and shows an error.
    const isUnsent = error.kind === 'network' && error.message !== '';
    const isUnknown = error.kind !== 'business' && !isUnsent;
    const key = isUnknown ? 'pay.unknown' : problemKey[error.code];
    setRefusal({ code: error.code, text: key ? t(key) : error.message || t('pay.failed') });
    if (error.code === ErrorCode.OrderClosed) toast.error(t('pay.closed'));
    if (error.code === ErrorCode.OrderClosed || error.code === ErrorCode.WrongOrderState || isUnknown) void onMoved();
    if (error.code === ErrorCode.PaymentMethodUnavailable) onMethodOff();
  };
  const paying = useSingleFlight(async (method: string) => {
    setRefusal(null);
    try {
      if (method === 'balance') await byBalance();
      else await online(method);
    } catch (error) {
      refuse(error);
    }
  });
  return {
    start: (method: string) => void paying.run(method),
    isPending: paying.isPending,
    proof,
    answerProof: (isProved: boolean) => answerProof.current?.(isProved),
    problem: refusal?.text ?? '',
    offersRecharge: refusal?.code === ErrorCode.BalanceTooLow,
  };
}
