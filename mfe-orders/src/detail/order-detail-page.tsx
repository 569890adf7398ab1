import { ErrorCode } from '@shop/shared/domain';
import './order-detail.css';
import { isApiError } from '@shop/shared/http';
import { invalidate, prefetch, useQuery } from '@shop/shared/query';
import { useParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, Empty, ErrorState, PageBody, PullToRefresh, Skeleton } from '@shop/shared/ui';
import { CardCodes } from '../cards/card-codes';
import { orderDetailQuery, orderListPrefix } from '../order/orders.queries';
import { SignInAgain } from '../order/sign-in-again';
import { PaymentPanel } from '../payment/payment-panel';
import { useTexts } from '../texts';
import { OrderActions } from './order-actions';
import { OrderAmounts, OrderGoods, OrderInformation, OrderTimeline } from './order-facts';
import { OrderHeader } from './order-header';

export function loader({ params }: LoaderArguments): null {
  prefetch(orderDetailQuery(params.id ?? ''));
  return null;
}

export const Component = observer(function OrderDetailPage() {
  const { t } = useTexts();
  const session = useSession();
  const { id: orderNo = '' } = useParams();
  const page = useQuery({ ...orderDetailQuery(orderNo), enabled: session.hasToken });
  const order = page.data;
  const moved = async () => {
    await invalidate(orderDetailQuery(orderNo).queryKey);
    void invalidate(orderListPrefix);
    void session.refreshUser().catch(() => {});
  };

  if (!session.hasToken) return <SignInAgain />;
  if (!order && page.error) {
    // The server answers InvalidInput to a malformed order number.
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
    return <ErrorState error={page.error} onRetry={() => void page.refetch()} />;
  }
  if (!order) return <OrderSkeleton />;
  return (
    <PageBody className="orders-detail">
      <PullToRefresh onRefresh={() => page.refetch()}>
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
