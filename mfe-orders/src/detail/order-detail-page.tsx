import { ErrorCode } from '@shop/shared/domain';
import './order-detail.css';
import { isApiError } from '@shop/shared/http';
import { invalidate, preload, usePageData } from '@shop/shared/query';
import { useParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, Empty, ErrorState, PageBody, PullToRefresh, Skeleton } from '@shop/shared/ui';
import { useEffect, useRef } from 'react';
import { CardCodes } from '../cards/card-codes';
import { getOrder, orderKey } from '../order/orders.api';
import { SignInAgain } from '../order/sign-in-again';
import { PaymentPanel } from '../payment/payment-panel';
import { useTexts } from '../texts';
import { OrderActions } from './order-actions';
import { OrderAmounts, OrderGoods, OrderInformation, OrderTimeline } from './order-facts';
import { OrderHeader } from './order-header';

/** How often an order in the works is asked for again while its page is open and visible. */
const followEveryMs = 15_000;

export function loader({ params }: LoaderArguments): null {
  const orderNo = params.id ?? '';
  preload(orderKey(orderNo), () => getOrder(orderNo));
  return null;
}

export const Component = observer(function OrderDetailPage() {
  const { t } = useTexts();
  const session = useSession();
  const { id: orderNo = '' } = useParams();
  const page = usePageData(session.hasToken ? orderKey(orderNo) : null, () => getOrder(orderNo));
  const order = page.data;
  const moved = async () => {
    await page.refresh();
    void invalidate(['orders', 'list']);
    void session.refreshUser().catch(() => {});
  };
  useFollow(order?.phase === 'processing', page.refresh);

  if (!session.hasToken) return <SignInAgain />;
  if (!order && page.error) {
    // A mistyped number is a bad field to the server; to the shopper it is the same: no such order.
    if (isApiError(page.error, ErrorCode.OrderNotFound) || isApiError(page.error, ErrorCode.InvalidInput)) {
      return (
        <Empty
          art="search"
          title={t('detail.notFoundTitle')}
          description={t('detail.notFoundText')}
          action={<Button to="/order">{t('detail.back')}</Button>}
        />
      );
    }
    return <ErrorState error={page.error} onRetry={() => void page.refresh()} />;
  }
  if (!order) return <OrderSkeleton />;
  return (
    <PageBody className="orders-detail">
      <PullToRefresh onRefresh={page.refresh}>
        <div className="orders-detail__columns">
          <div className="orders-detail__main">
            <OrderHeader order={order} onEnd={() => void moved()} />
            {order.phase === 'unpaid' && <PaymentPanel order={order} onMoved={moved} />}
            {order.actions.reveal && <CardCodes order={order} />}
            <OrderGoods order={order} />
            <OrderTimeline order={order} />
          </div>
          <div className="orders-detail__side">
            <OrderAmounts order={order} />
            <OrderInformation order={order} />
            <OrderActions order={order} onMoved={moved} />
          </div>
        </div>
      </PullToRefresh>
    </PageBody>
  );
});

/** Asks again while `isOn`, when the page is visible. */
function useFollow(isOn: boolean, refresh: () => Promise<void>): void {
  const run = useRef(refresh);
  useEffect(() => {
    run.current = refresh;
  });
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void run.current();
    }, followEveryMs);
    return () => clearInterval(timer);
  }, [isOn]);
}

function OrderSkeleton() {
  return (
    <PageBody className="orders-detail">
      <div className="orders-detail__columns" aria-busy="true">
        <div className="orders-detail__main">
          <Skeleton height={132} shape="card" />
          <Card>
            <Skeleton lines={4} />
          </Card>
          <Card>
            <Skeleton lines={3} />
          </Card>
        </div>
        <div className="orders-detail__side">
          <Card>
            <Skeleton lines={3} />
          </Card>
          <Card>
            <Skeleton lines={4} />
          </Card>
        </div>
      </div>
    </PageBody>
  );
}
