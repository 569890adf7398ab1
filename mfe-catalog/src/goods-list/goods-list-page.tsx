import { goodsListTitle, rechargeKind } from '@shop/shared/domain';
import { linkTo } from '@shop/shared/links';
import { prefetch, prefetchList, useListQuery, useQuery } from '@shop/shared/query';
import { usePageTitle, useSearchParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { Button, Icon, PageBody } from '@shop/shared/ui';
import { useEffect, useRef } from 'react';
import { categoriesQuery, type GoodsFilter, goodsCountsQuery, goodsListQuery } from '../common/goods.queries';
import { GoodsResults } from '../common/goods-results';
import { useTexts } from '../texts';
import { FilterSheet, GoodsFilters } from './goods-filters';
import { readGoodsQuery, type SortOrder, sortOrders, writeGoodsQuery } from './goods-query';
import './goods-list.css';

export function loader({ request }: LoaderArguments): void {
  prefetch(categoriesQuery);
  prefetch(goodsCountsQuery);
  prefetchList(goodsListQuery(readGoodsQuery(new URL(request.url).searchParams)));
}

export function Component() {
  const { t } = useTexts();
  const [search, setSearch] = useSearchParams();
  const query = readGoodsQuery(search);
  const { sort = 'default', keyword } = query;
  const filtered = writeGoodsQuery({ ...query, sort: undefined }).toString() !== '';
  const categories = useQuery(categoriesQuery);
  const allCounts = useQuery(goodsCountsQuery).data;
  const counts = keyword ? undefined : allCounts;
  const goods = useListQuery(goodsListQuery(query));
  const kind = rechargeKind(query.recharge_type);
  const category = categories.data?.find(({ id }) => id === query.category_id)?.name;
  const names = keyword ? [] : [category, kind && t(`kind.${kind}`), query.letter];
  usePageTitle(goodsListTitle(names, t('allGames')));
  // A second click may come before the URL has changed and must build on the first.
  const nextQuery = useRef(query);
  const sent = useRef<string[]>([]);
  useEffect(() => {
    const sentIndex = sent.current.indexOf(search.toString());
    if (sentIndex < 0) nextQuery.current = readGoodsQuery(search);
    sent.current = sent.current.slice(sentIndex < 0 ? sent.current.length : sentIndex + 1);
  }, [search]);
  const change = (next: Partial<GoodsFilter>) => {
    nextQuery.current = { ...nextQuery.current, ...next };
    sent.current.push(writeGoodsQuery(nextQuery.current).toString());
    setSearch(writeGoodsQuery(nextQuery.current), { replace: true, preventScrollReset: true });
  };
  const clear = () => setSearch(writeGoodsQuery({ sort: query.sort }), { replace: true });
  const filters = { filter: query, categories: categories.data, counts, onChange: change };

  return (
    <PageBody>
      <div className="catalog-goods-list ui-stack">
        <section className="ui-card catalog-goods-list__filters" aria-label={t('goodsList.filters')}>
          <GoodsFilters {...filters} />
        </section>
        <div className="catalog-goods-list__bar ui-row ui-gap-2">
          <FilterSheet {...filters} />
          <p className="catalog-count ui-muted" role="status">
            {goods.items.length > 0 && t('goodsList.count', { count: goods.total })}
          </p>
          {filtered && (
            <span className="catalog-goods-list__clear">
              <Button kind="ghost" size="s" onClick={clear}>
                {t('goodsList.clear')}
              </Button>
            </span>
          )}
          <SortSelect
            value={sort as SortOrder}
            onChange={(order) => change({ sort: order === 'default' ? undefined : order })}
          />
        </div>
        <div className="catalog-goods-list__main">
          <GoodsResults
            goods={goods}
            listKey={writeGoodsQuery(query).toString()}
            emptyTitle={t(filtered ? 'goodsList.empty' : 'home.empty')}
            emptyText={t(filtered ? 'goodsList.emptyText' : 'goodsList.emptyShop')}
            wayOn={
              filtered ? (
                <Button onClick={clear}>{t('goodsList.clear')}</Button>
              ) : (
                <Button to={linkTo('home')}>{t('goodsList.home')}</Button>
              )
            }
            withCount={false}
          />
        </div>
      </div>
    </PageBody>
  );
}

function SortSelect({ value, onChange }: { value: SortOrder; onChange: (order: SortOrder) => void }) {
  const { t } = useTexts();
  return (
    <span className="catalog-sort">
      <select
        aria-label={t('sort.label')}
        value={value}
        onChange={({ target }) => target.value !== value && onChange(target.value as SortOrder)}
      >
        {sortOrders.map((order) => (
          <option key={order} value={order}>
            {t(`sort.${order}`)}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={16} />
    </span>
  );
}
