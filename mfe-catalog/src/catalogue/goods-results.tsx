import type { GoodsListItem } from '@shop/server/wire';
import { useTranslation } from '@shop/shared/i18n';
import type { InfinitePageData } from '@shop/shared/query';
import { Empty, ErrorState, LoadMore } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { GoodsCard, GoodsCardsSkeleton } from './goods-card';

interface GoodsResultsProps {
  goods: InfinitePageData<GoodsListItem>;
  emptyTitle: string;
  emptyText: string;
  /** What a shopper can do when nothing was found. */
  wayOn: ReactNode;
}

/** A list of products in each of its states. */
export function GoodsResults({ goods, emptyTitle, emptyText, wayOn }: GoodsResultsProps) {
  const { t } = useTranslation('catalog');
  if (goods.items.length === 0) {
    if (goods.error) return <ErrorState error={goods.error} onRetry={() => void goods.refresh()} />;
    if (goods.isLoading) return <GoodsCardsSkeleton />;
    return <Empty art="search" title={emptyTitle} description={emptyText} action={wayOn} />;
  }
  return (
    <>
      <p className="catalog-count" role="status">
        {t('goods.count', { count: goods.total })}
      </p>
      <ul className="catalog-cards">
        {goods.items.map((item, index) => (
          <li key={item.id}>
            <GoodsCard goods={item} eager={index < 4} />
          </li>
        ))}
      </ul>
      <LoadMore hasMore={goods.hasMore} loading={goods.isLoadingMore} error={goods.error} onMore={goods.loadMore} />
    </>
  );
}
