import { ErrorCode } from '@shop/shared/domain';
import { isApiError } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { leave, toPending, useSingleFlight, webAddress, withIdempotencyKey, writePending } from '@shop/shared/payment';
import { useNavigate } from '@shop/shared/router';
import { useShown } from '@shop/shared/routing';
import { useState } from 'react';
import { createRecharge, payRecharge, rechargePaymentKey } from '../account.api';
import { type Translate, useTexts } from '../texts';

interface RechargeOrder {
  amount: string;
  method: string;
  currency: string;
}

export function useRecharge() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const shown = useShown();
  const [failure, setFailure] = useState('');

  const open = async ({ amount, method, currency }: RechargeOrder) => {
    const payment = await withIdempotencyKey(`recharge:${amount}|${method}|${currency}`, async (key) => {
      const created = await createRecharge({ amount, method }, key);
      return payRecharge(created.recharge_no, method, key);
    });
    if (!shown.current) return;
    const address = payment.mode === 'qr' ? linkTo('wallet') : webAddress(payment.pay_url);
    if (!address) return setFailure(t('recharge.errors.address'));
    writePending(rechargePaymentKey, toPending(payment));
    if (payment.mode === 'qr') navigate(address);
    else await leave.to(address);
  };
  const { run, isPending } = useSingleFlight(async (order: RechargeOrder) => {
    setFailure('');
    try {
      await open(order);
    } catch (error) {
      setFailure(failureText(error, t));
    }
  });
  return { pay: (order: RechargeOrder) => void run(order), isPending, failure, setFailure };
}

function failureText(error: unknown, t: Translate): string {
  if (!isApiError(error)) throw error;
  if (error.code === ErrorCode.Unauthorized || error.code === ErrorCode.Forbidden) return '';
  if (error.kind === 'timeout') return t('recharge.errors.timeout');
  if (error.kind === 'network') return t('recharge.errors.offline');
  return (error.kind === 'business' && error.message) || t('recharge.errors.failed');
}
