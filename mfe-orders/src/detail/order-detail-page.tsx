import { ErrorCode, RechargeType } from '@shop/shared/domain';
import { linkTo } from '@shop/shared/links';
import './order-detail.css';
import { isApiError } from '@shop/shared/http';
import { readPending, writePending } from '@shop/shared/payment';
import { invalidate, prefetch, useQuery } from '@shop/shared/query';
import { useParams } from '@shop/shared/router';
import { type LoaderArguments, useHydrating } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, classNames, Empty, PageBody, Waiting } from '@shop/shared/ui';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { CardCodes, FutureCodes } from '../cards/card-codes';
import type { Order } from '../order/order';
import { orderDetailQuery, orderListPrefix } from '../order/orders.queries';
import { paymentKey, paymentMethodsQuery } from '../payment/payment.api';
import { PaymentPanel } from '../payment/payment-panel';
import { useTexts } from '../texts';
import { NoticesOffer, useNoticesOffer } from './notices-offer';
import { LatePayment, OrderActions } from './order-actions';
import { OrderAmounts, OrderGoods, OrderInformation, OrderTimeline } from './order-facts';
import { Question } from './order-forms';
import { OrderHeader } from './order-header';

export function loader({ params }: LoaderArguments): void {
  prefetch(orderDetailQuery(params.id ?? ''));
  // Loaded in parallel with the order: a user who comes to pay waits for both, and nothing below the methods moves.
  prefetch(paymentMethodsQuery);
}

export const Component = observer(function OrderDetailPage() {
  const { t } = useTexts();
  const session = useSession();
  const { id: orderNo = '' } = useParams();
  const page = useQuery({ ...orderDetailQuery(orderNo), enabled: session.hasToken });
  const order = page.data;
  const isUnpaid = order?.phase === 'unpaid';
  const methods = useQuery({ ...paymentMethodsQuery, enabled: isUnpaid });
  const header = useRef<HTMLHeadingElement>(null);
  const isJustPaid = useJustPaid(orderNo, order, () => header.current?.focus());
  const offer = useNoticesOffer(order);
  const moved = async () => {
    await invalidate(orderDetailQuery(orderNo).queryKey);
    void invalidate(orderListPrefix);
    void session.refreshUser().catch(() => {});
  };

  // The server answers InvalidInput to a malformed order number.
  if (!order && (isApiError(page.error, ErrorCode.OrderNotFound) || isApiError(page.error, ErrorCode.InvalidInput))) {
    return (
      <Empty
        art="search"
        title={t('detail.notFoundTitle')}
        description={t('detail.notFoundText')}
        action={<Button to={linkTo('order-list')}>{t('detail.back')}</Button>}
      />
    );
  }
  if (!order)
    return (
      <PageBody className="orders-detail">
        <Waiting query={page} heights={[132, 150, 180, 150]} className="orders-detail__columns ui-gap-4" />
      </PageBody>
    );
  // After a payment on this page the codes replace the payment, so that nothing moves; on the next visit they come first.
  const cards = order.actions.reveal && <CardCodes order={order} isJustPaid={isJustPaid} />;
  const areCodesToCome =
    order.recharge_type === RechargeType.CardCode && (isUnpaid || (isJustPaid && order.phase === 'processing'));
  return (
    <PageBody className="orders-detail">
      <div
        className={classNames(
          'orders-detail__columns ui-stack ui-gap-4',
          isJustPaid && 'orders-detail__columns--just-paid',
        )}
      >
        <div className="orders-detail__main ui-stack ui-gap-4">
          <OrderHeader order={order} heading={header} onEnd={() => void moved()} />
          {order.late_payment && <LatePayment order={order} late={order.late_payment} />}
          <Question order={order} onAnswered={moved} />
          {!isJustPaid && cards}
          {/* The buyer reads the goods, above all the account, before paying. */}
          <OrderGoods order={order} />
          {areCodesToCome && <FutureCodes order={order} />}
          {isJustPaid && cards}
        </div>
        <div className="orders-detail__side ui-stack ui-gap-4">
          <OrderAmounts order={order} />
          {isUnpaid && <PaymentPanel order={order} onMoved={moved} />}
          {offer.isOffered && (
            <NoticesOffer
              onDecline={() => {
                offer.decline();
                // The focused button is gone, so the focus moves to the header.
                header.current?.focus();
              }}
            />
          )}
          {!isUnpaid && <OrderActions order={order} onMoved={moved} />}
        </div>
        {/* Nothing is rendered below the methods before their number is known, because it would move. */}
        {!(isUnpaid && methods.isPending) && (
          <div className="orders-detail__rest ui-stack ui-gap-4">
            <OrderInformation order={order} />
            <OrderTimeline order={order} />
            {isUnpaid && <OrderActions order={order} onMoved={moved} />}
          </div>
        )}
      </div>
    </PageBody>
  );
});

/**
 * Whether the order was paid on this page, or at a cashier that it opened. Codes that came with the document stay where they are.
 * `onPaid` is called when it is paid on the page.
 */
function useJustPaid(orderNo: string, order: Order | undefined, onPaid: () => void): boolean {
  const cameInDocument = useHydrating() && order !== undefined;
  const [isAwaited, setAwaited] = useState(() => !cameInDocument && readPending(paymentKey(orderNo)) !== null);
  const wasUnpaid = useRef(false);
  const phase = order?.phase;
  const reportPaid = useEffectEvent(onPaid);
  useEffect(() => {
    if (!phase) return;
    const key = paymentKey(orderNo);
    if (phase === 'unpaid' || (phase === 'processing' && readPending(key))) setAwaited(true);
    if (phase !== 'unpaid') {
      writePending(key, null);
      // The focused button is gone.
      if (wasUnpaid.current) reportPaid();
    }
    wasUnpaid.current = phase === 'unpaid';
  }, [phase, orderNo]);
  return isAwaited;
}
