import type { GoodsListItem } from '@shop/server/wire';
import type { ListResult } from '@shop/shared/query';
import { useHydrating } from '@shop/shared/routing';
import { observer } from '@shop/shared/state';
import { Empty, ErrorState, LoadMore } from '@shop/shared/ui';
import { memo, type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { FavouritesContext, useFavourites } from '../favourites/heart';
import { useTexts } from '../texts';
import { GoodsCard, GoodsCardsSkeleton } from './goods-card';

/** Rows are rendered this many px below the viewport: further than a flick scrolls in that time. */
const aheadPx = 1200;

/** These fill the screen of a phone. */
const rowsOfPhone = 10;
const rowsAtOnce = 20;
const desktop = '(min-width: 960px)';

/**
 * Renders a long list in steps of 20 rows, on a phone fewer rows first, and a step more whenever the end comes near the viewport, so that
 * no interaction waits for all rows. Renders all rows in a browser without IntersectionObserver. `end` is the ref of an element below
 * the last row.
 */
export function useIncrementalRender(count: number) {
  const canGrow = typeof IntersectionObserver !== 'undefined';
  const end = useRef<HTMLDivElement>(null);
  const hydrating = useHydrating();
  // A rendered document has a whole step.
  const [rendered, setRendered] = useState(() => (hydrating || matchMedia(desktop).matches ? rowsAtOnce : rowsOfPhone));
  const isWhole = (!canGrow && !hydrating) || rendered >= count;
  useEffect(() => {
    if (isWhole || !end.current) return;
    const grow = () => startTransition(() => setRendered(rendered < rowsAtOnce ? rowsAtOnce : rendered + rowsAtOnce));
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) grow();
      },
      { rootMargin: `0px 0px ${aheadPx}px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWhole, rendered]);
  return { rendered: isWhole ? count : rendered, end };
}

interface GoodsResultsProps {
  goods: ListResult<GoodsListItem>;
  /** Key of the list: another list starts with its first rows again. */
  listKey: string;
  emptyTitle: string;
  emptyText: string;
  /** Action offered in an empty list. */
  wayOn: ReactNode;
  /** Off where the page shows the number itself. */
  withCount?: boolean;
}

export const GoodsResults = observer(function GoodsResults({
  goods,
  listKey,
  emptyTitle,
  emptyText,
  wayOn,
  withCount = true,
}: GoodsResultsProps) {
  const { t } = useTexts();
  const favourites = useFavourites();
  if (goods.items.length === 0) {
    if (goods.error) return <ErrorState error={goods.error} onRetry={() => void goods.refresh()} />;
    if (goods.isLoading) return <GoodsCardsSkeleton />;
    return <Empty art="search" title={emptyTitle} description={emptyText} action={wayOn} />;
  }
  return (
    <>
      {withCount && (
        <p className="catalog-count ui-muted" role="status">
          {t('goodsList.count', { count: goods.total })}
        </p>
      )}
      <FavouritesContext value={favourites}>
        <GoodsList key={listKey} items={goods.items}>
          <LoadMore list={goods} />
        </GoodsList>
      </FavouritesContext>
    </>
  );
});

function GoodsList({ items, children }: { items: readonly GoodsListItem[]; children: ReactNode }) {
  const { rendered, end } = useIncrementalRender(items.length);
  const parts: ReactNode[] = [];
  for (let from = 0; from < rendered; from += rowsAtOnce)
    parts.push(<Rows key={from} items={items} from={from} to={Math.min(from + rowsAtOnce, rendered)} />);
  return (
    <>
      <ul className="catalog-cards ui-stack">{parts}</ul>
      <div ref={end} />
      {rendered >= items.length && children}
    </>
  );
}

const Rows = memo(
  function Rows({ items, from, to }: { items: readonly GoodsListItem[]; from: number; to: number }) {
    return items.slice(from, to).map((item, index) => (
      <li key={item.id}>
        <GoodsCard goods={item} eager={from + index < 4} />
      </li>
    ));
  },
  // Each loaded page makes a new array, but most of its rows are the same objects.
  (before, after) => {
    if (before.from !== after.from || before.to !== after.to) return false;
    for (let at = after.from; at < after.to; at += 1) if (before.items[at] !== after.items[at]) return false;
    return true;
  },
);
