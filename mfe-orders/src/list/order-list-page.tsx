import { linkTo } from '@shop/shared/links';
import './order-list.css';
import { invalidate, prefetch, prefetchList, useListQuery, useQuery } from '@shop/shared/query';
import { Link, useSearchParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Badge, Button, Empty, ErrorState, LoadMore, PageBody, Refreshable, Tabs } from '@shop/shared/ui';
import type { OrderTab } from '../order/orders.api';
import { type OrderFilter, orderListPrefix, orderListQuery, unpaidCountQuery } from '../order/orders.queries';
import { SignInAgain } from '../order/sign-in-again';
import { type TextKey, useTexts } from '../texts';
import { OrderCard, OrderCardSkeleton } from './order-card';
import { OrderSearch } from './order-search';

const tabs: ReadonlyArray<{ key: OrderTab; text: TextKey }> = [
  { key: 'all', text: 'tab.all' },
  { key: 'unpaid', text: 'tab.unpaid' },
  { key: 'processing', text: 'tab.processing' },
  { key: 'finished', text: 'tab.finished' },
  { key: 'refunded', text: 'tab.refunded' },
  { key: 'closed', text: 'tab.closed' },
];

/** Tab and search are in the URL, so that a link, a reload and Back show the same orders. */
function readFilter(search: URLSearchParams): OrderFilter {
  return {
    tab: tabs.find((item) => item.key === search.get('tab'))?.key ?? 'all',
    // Cuts by code points, so that no emoji is split.
    keyword: [...(search.get('keyword') ?? '').trim()].slice(0, 60).join(''),
  };
}

function useOrderFilter() {
  const [search, setSearch] = useSearchParams();
  const { tab, keyword } = readFilter(search);
  const change = (next: { tab?: OrderTab; keyword?: string }) => {
    const filter = { tab, keyword, ...next };
    const params = new URLSearchParams();
    if (filter.tab !== 'all') params.set('tab', filter.tab);
    if (filter.keyword) params.set('keyword', filter.keyword);
    setSearch(params, { replace: true });
  };
  return { tab, keyword, change };
}

export function loader({ request }: LoaderArguments): null {
  prefetchList(orderListQuery(readFilter(new URL(request.url).searchParams)));
  prefetch(unpaidCountQuery);
  return null;
}

/** A stable function, because the cards are memoised. */
const refetchOrders = () => void invalidate(orderListPrefix);

export const Component = observer(function OrderListPage() {
  const { t } = useTexts();
  const session = useSession();
  const { tab, keyword, change } = useOrderFilter();
  const orders = useListQuery({ ...orderListQuery({ tab, keyword }), enabled: session.hasToken });
  const unpaid = useQuery({ ...unpaidCountQuery, enabled: session.hasToken }).data;

  if (!session.hasToken) return <SignInAgain />;
  const unread = session.user?.unreadNotices ?? 0;
  const isEmpty = !orders.isLoading && !orders.error && orders.items.length === 0;
  return (
    <PageBody className="orders-list">
      <div className="orders-list__head">
        <Tabs
          items={tabs.map(({ key, text }) => ({ key, label: t(text), count: key === 'unpaid' ? unpaid : undefined }))}
          value={tab}
          onChange={(next) => change({ tab: next })}
          label={t('list.tabs')}
        />
        <div className="ui-row ui-gap-2">
          <OrderSearch key={keyword} keyword={keyword} onSearch={(next) => change({ keyword: next })} />
          <Link
            to={linkTo('notices')}
            className="ui-icon-button orders-list__notices"
            aria-label={unread > 0 ? t('notices.entryUnread', { count: unread }) : t('notices.title')}
          >
            <Badge count={unread}>
              <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
                <path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5a2.2 2.2 0 0 0 4 0" />
              </svg>
            </Badge>
          </Link>
        </div>
      </div>
      <Refreshable onRefresh={orders.refresh}>
        {orders.error && orders.items.length === 0 ? (
          <ErrorState error={orders.error} onRetry={() => void orders.refresh()} />
        ) : isEmpty ? (
          <NoOrders tab={tab} keyword={keyword} onReset={() => change({ tab: 'all', keyword: '' })} />
        ) : (
          <ul className="orders-list__items ui-stack" aria-label={t('list.orders')} aria-busy={orders.isLoading}>
            {orders.isLoading
              ? ['1', '2', '3', '4'].map((id) => (
                  <li key={id}>
                    <OrderCardSkeleton />
                  </li>
                ))
              : orders.items.map((order) => (
                  <li key={order.order_no}>
                    <OrderCard order={order} onEnd={refetchOrders} />
                  </li>
                ))}
          </ul>
        )}
        {orders.items.length > 0 && (
          <LoadMore
            hasMore={orders.hasMore}
            loading={orders.isLoadingMore}
            error={orders.error}
            onMore={orders.loadMore}
          />
        )}
      </Refreshable>
    </PageBody>
  );
});

function NoOrders({ tab, keyword, onReset }: { tab: OrderTab; keyword: string; onReset: () => void }) {
  const { t } = useTexts();
  const reset = (
    <Button kind="secondary" onClick={onReset}>
      {t('list.showAll')}
    </Button>
  );
  if (keyword) {
    return (
      <Empty
        art="search"
        title={t('list.noResultTitle', { keyword })}
        description={t('list.noResultText')}
        action={reset}
      />
    );
  }
  if (tab !== 'all') {
    return <Empty art="orders" title={t('list.emptyTabTitle')} description={t('list.emptyTabText')} action={reset} />;
  }
  return (
    <Empty
      art="orders"
      title={t('list.emptyTitle')}
      description={t('list.emptyText')}
      action={<Button to={linkTo('goods-list')}>{t('list.browse')}</Button>}
    />
  );
}
