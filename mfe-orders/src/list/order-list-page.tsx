import type { OrderTab } from '@shop/server/wire';
import { linkTo } from '@shop/shared/links';
import './order-list.css';
import { invalidate, prefetch, prefetchList, useListQuery, useQuery } from '@shop/shared/query';
import { Link, useSearchParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Badge, Button, Empty, Icon, IconButton, LoadMore, PageBody, Tabs, Waiting } from '@shop/shared/ui';
import { useState } from 'react';
import { type OrderFilter, orderListPrefix, orderListQuery, unpaidCountQuery } from '../order/orders.queries';
import { useTexts } from '../texts';
import { OrderCard } from './order-card';

const tabs: readonly OrderTab[] = ['all', 'unpaid', 'processing', 'finished', 'refunded', 'closed'];

/** Tab and search are in the URL, so that a link, a reload and Back show the same orders. */
function readFilter(search: URLSearchParams): OrderFilter {
  return {
    tab: tabs.find((key) => key === search.get('tab')) ?? 'all',
    // Cuts by code points, so that no emoji is split.
    keyword: [...(search.get('keyword') ?? '').trim()].slice(0, 60).join(''),
  };
}

export function loader({ request }: LoaderArguments): void {
  prefetchList(orderListQuery(readFilter(new URL(request.url).searchParams)));
  prefetch(unpaidCountQuery);
}

/** A stable function, because the cards are memoised. */
const refetchOrders = () => void invalidate(orderListPrefix);

export const Component = observer(function OrderListPage() {
  const { t } = useTexts();
  const session = useSession();
  const [search, setSearch] = useSearchParams();
  const { tab, keyword } = readFilter(search);
  const change = (next: Partial<OrderFilter>) => {
    const filter = { tab, keyword, ...next };
    const params = new URLSearchParams();
    if (filter.tab !== 'all') params.set('tab', filter.tab);
    if (filter.keyword) params.set('keyword', filter.keyword);
    setSearch(params, { replace: true });
  };
  const orders = useListQuery({ ...orderListQuery({ tab, keyword }), enabled: session.hasToken });
  const unpaid = useQuery({ ...unpaidCountQuery, enabled: session.hasToken }).data;

  const unread = session.user?.unreadNotices ?? 0;
  return (
    <PageBody className="orders-list">
      <div className="orders-list__head ui-stack">
        <Tabs
          items={tabs.map((key) => ({
            key,
            label: t(key === 'all' ? 'list.all' : `phase.${key}`),
            count: key === 'unpaid' ? unpaid : undefined,
          }))}
          value={tab}
          onChange={(next) => change({ tab: next })}
          label={t('list.status')}
        />
        <div className="ui-row ui-gap-2">
          <OrderSearch key={keyword} keyword={keyword} onSearch={(next) => change({ keyword: next })} />
          <Link
            to={linkTo('notices')}
            className="ui-icon-button"
            aria-label={unread > 0 ? t('notices.entryUnread', { count: unread }) : t('notices.title')}
          >
            <Badge count={unread}>
              <svg className="ui-icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
                <path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5a2.2 2.2 0 0 0 4 0" />
              </svg>
            </Badge>
          </Link>
        </div>
      </div>
      <div>
        {orders.items.length > 0 ? (
          <>
            <ul className="orders-list__items ui-stack" aria-label={t('list.orders')}>
              {orders.items.map((order) => (
                <li key={order.order_no}>
                  <OrderCard order={order} onEnd={refetchOrders} />
                </li>
              ))}
            </ul>
            <LoadMore list={orders} />
          </>
        ) : orders.error || orders.isLoading ? (
          <Waiting
            query={{ error: orders.error, refetch: orders.refresh }}
            heights={[177, 177, 177, 177]}
            className="orders-list__items"
          />
        ) : (
          <NoOrders tab={tab} keyword={keyword} onReset={() => change({ tab: 'all', keyword: '' })} />
        )}
      </div>
    </PageBody>
  );
});

function NoOrders({ tab, keyword, onReset }: { tab: OrderTab; keyword: string; onReset: () => void }) {
  const { t } = useTexts();
  const kind = keyword ? 'noResult' : tab === 'all' ? 'empty' : 'emptyTab';
  return (
    <Empty
      art={keyword ? 'search' : 'orders'}
      title={t(`list.${kind}Title`, { keyword })}
      description={t(`list.${kind}Text`)}
      action={
        kind === 'empty' ? (
          <Button to={linkTo('goods-list')}>{t('list.browse')}</Button>
        ) : (
          <Button kind="secondary" onClick={onReset}>
            {t('list.showAll')}
          </Button>
        )
      }
    />
  );
}

function OrderSearch({ keyword, onSearch }: { keyword: string; onSearch: (keyword: string) => void }) {
  const { t } = useTexts();
  const [text, setText] = useState(keyword);
  return (
    // biome-ignore lint/a11y/useSemanticElements: older engines, jsdom among them, do not know <search>
    <form
      role="search"
      aria-label={t('list.search')}
      className="orders-search ui-row ui-gap-2 ui-grow"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <Icon name="search" size={18} className="orders-search__icon" />
      <input
        type="search"
        enterKeyHint="search"
        className="orders-search__input ui-grow"
        aria-label={t('list.search')}
        placeholder={t('list.searchHint')}
        maxLength={60}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {text !== '' && (
        <IconButton
          icon="close"
          size={16}
          label={t('list.clear')}
          onClick={() => {
            setText('');
            if (keyword) onSearch('');
          }}
        />
      )}
    </form>
  );
}
