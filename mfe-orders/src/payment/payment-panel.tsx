import { RechargeType, rechargeKind } from '@shop/shared/domain';
import { post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { compareMoney, formatMoney, fromMinor, toMinor } from '@shop/shared/money';
import { measuredTime, type PaymentResult, QrCode, usePaymentResult } from '@shop/shared/payment';
import { useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, ErrorState, Icon, Notice, Price, Section, Skeleton, Spinner, StickyBar } from '@shop/shared/ui';
import { useEffect, useState } from 'react';
import type { Order } from '../order/order';
import { ProofSheet } from '../proof/proof-sheet';
import { useTexts } from '../texts';
import { goodsInfoQuery, paymentKey, paymentMethodsQuery } from './payment.api';
import { PaymentMethods } from './payment-methods';
import { usePay } from './use-pay';

export const PaymentPanel = observer(function PaymentPanel(props: { order: Order; onMoved: () => Promise<void> }) {
  const { order, onMoved } = props;
  const { t } = useTexts();
  const session = useSession();
  const methods = useQuery(paymentMethodsQuery);
  const [picked, setPicked] = useState('');
  const result = usePaymentResult(paymentKey(order.order_no), () => void onMoved());
  const isUnpaid = order.phase === 'unpaid';
  useEffect(() => {
    if (!isUnpaid) result.forget();
  }, [isUnpaid, result.forget]);
  const pay = usePay(order, { onMoved, onPending: result.start, onMethodOff: () => void methods.refetch() });

  const balance = session.user?.balances[order.currency] ?? '0.00';
  const isEnough = compareMoney(balance, order.total_amount) >= 0;
  // The wallet is first if it suffices, else last.
  const isLast = ({ code }: { code: string }) => Number(code === 'balance' && session.user !== null && !isEnough);
  const shownMethods = [...(methods.data ?? [])].sort((left, right) => isLast(left) - isLast(right));
  const usable = shownMethods.filter((method) => method.enabled);
  const preferred = usable.find((method) => method.code !== 'balance' || isEnough) ?? usable[0];
  const method = usable.find((item) => item.code === picked) ?? preferred;
  const isShort = method?.code === 'balance' && session.user !== null && !isEnough;

  if (methods.isPending) {
    return (
      <Section title={t('pay.title')}>
        <Skeleton height={136} shape="card" />
      </Section>
    );
  }
  const isPending = result.state === 'checking' || result.state === 'waiting';
  const problem = pay.problem || (result.state === 'failed' ? t('pay.failed') : '');
  return (
    <Section title={t('pay.title')}>
      {isPending && <PendingPaymentCard result={result} order={order} />}
      {methods.error && !methods.data ? (
        <ErrorState error={methods.error} onRetry={() => void methods.refetch()} />
      ) : usable.length === 0 ? (
        <Notice tone="warning">{t('pay.noMethods')}</Notice>
      ) : (
        <PaymentMethods
          methods={shownMethods}
          value={method?.code ?? ''}
          onChange={setPicked}
          currency={order.currency}
          balance={session.user ? balance : null}
          missing={isEnough ? null : fromMinor(toMinor(order.total_amount) - toMinor(balance))}
        />
      )}
      <div className="orders-pay__problem" role="alert">
        {problem && (
          <Notice
            tone="danger"
            action={
              pay.offersRecharge ? (
                <Button size="s" to={linkTo('recharge')}>
                  {t('pay.recharge')}
                </Button>
              ) : undefined
            }
          >
            {problem}
          </Notice>
        )}
      </div>
      {pay.proof && (
        <ProofSheet
          open={pay.proof.isOpen}
          onClose={() => pay.answerProof(false)}
          ways={pay.proof.request.proofs}
          purpose="wallet"
          reason={t(`proof.${pay.proof.request.reason}`)}
          submitText={t('proof.confirmPay')}
          onProof={async (proof) => {
            // This session may then pay from the wallet for some minutes.
            await post('/api/front/payment/proof', proof, { quiet: true });
            pay.answerProof(true);
          }}
        />
      )}
      <StickyBar className="orders-pay__bar">
        <span className="orders-pay__due ui-muted">
          <span>{t('pay.due')}</span>
          <Price amount={order.total_amount} currency={order.currency} size="l" />
        </span>
        {isShort ? (
          <Button size="l" to={linkTo('recharge')} icon="wallet">
            {t('pay.recharge')}
          </Button>
        ) : (
          <Button size="l" disabled={!method} loading={pay.isPending} onClick={() => method && pay.start(method.code)}>
            {t('pay.now', { amount: formatMoney(order.total_amount, order.currency) })}
          </Button>
        )}
      </StickyBar>
      <WhatNext order={order} />
    </Section>
  );
});

/** A user who comes back from the cashier is asked after this time, while the provider's answer is still due. */
const askAfterMs = 3_000;

/** A pending online payment: a QR code to scan, or the wait for the provider's result. The methods stay below it. */
function PendingPaymentCard({ result, order }: { result: PaymentResult; order: Order }) {
  const { t } = useTexts();
  const { state, qr } = result;
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setAsked, askAfterMs, true);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Card className="orders-pending ui-stack ui-gap-4">
      {qr && (
        <div className="orders-scan ui-stack">
          <QrCode text={qr} label={t('pay.scanLabel')} />
          <Price amount={order.total_amount} currency={order.currency} size="l" />
          <p>{t('pay.scan')}</p>
        </div>
      )}
      <div role="status">
        {state === 'checking' ? (
          <Spinner label={t(qr ? 'pay.scanWaiting' : 'pay.checking')} />
        ) : (
          <p>{t('pay.waiting')}</p>
        )}
      </div>
      {/* The space is reserved, so that nothing moves when the buttons appear. */}
      <div className="orders-pending__actions ui-row ui-gap-2 ui-wrap">
        {isAsked && (
          <>
            <Button kind="secondary" onClick={result.checkAgain}>
              {t('pay.hasPaid')}
            </Button>
            <Button kind="ghost" onClick={result.forget}>
              {t('pay.goOn')}
            </Button>
          </>
        )}
      </div>
    </Card>
  );
}

function WhatNext({ order }: { order: Order }) {
  const { t, language } = useTexts();
  const session = useSession();
  const { data: goods } = useQuery(goodsInfoQuery(order.snapshot.goods_id));
  const seconds = goods?.delivery_seconds;
  const measured = typeof seconds === 'number' && t('next.measured', { time: measuredTime(seconds, language) });
  return (
    <ul className="orders-next ui-stack ui-gap-1 ui-muted" aria-label={t('next.title')}>
      <li className="ui-row ui-gap-2">
        <Icon name="clock" size={18} />
        <span>
          {t(`next.${rechargeKind(order.recharge_type) ?? 'manual'}`)}
          {order.recharge_type !== RechargeType.CardCode && (
            // An empty line keeps the space until the answer arrives.
            <span className="orders-next__measured">{measured || '\u00a0'}</span>
          )}
        </span>
      </li>
      <li className="ui-row ui-gap-2">
        <Icon name="shield" size={18} />
        <span>{t('next.refund')}</span>
      </li>
      <li className="ui-row ui-gap-2">
        <Icon name="support" size={18} />
        <span>{t('next.help')}</span>
        <Button kind="ghost" size="s" onClick={() => session.openSupport()}>
          {t('detail.support')}
        </Button>
      </li>
    </ul>
  );
}
