import { prefetch, prefetchList, useListQuery, useQuery } from '@shop/shared/query';
import { useSearchParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { Button, PageBody, PullToRefresh } from '@shop/shared/ui';
import { useEffect, useRef } from 'react';
import { categoriesQuery, type GoodsFilter, goodsListQuery } from '../common/goods.queries';
import { GoodsResults } from '../common/goods-results';
import { useTexts } from '../texts';
import { GoodsFilters } from './goods-filters';
import { readGoodsQuery, writeGoodsQuery } from './goods-query';
import { LetterIndex } from './letter-index';
import './goods-list.css';

export function loader({ request }: LoaderArguments): null {
  prefetch(categoriesQuery);
  prefetchList(goodsListQuery(readGoodsQuery(new URL(request.url).searchParams)));
  return null;
}

export function Component() {
  const { t } = useTexts();
  const [search, setSearch] = useSearchParams();
  const query = readGoodsQuery(search);
  const filtered = writeGoodsQuery(query).toString() !== '';
  const categories = useQuery(categoriesQuery);
  const goods = useListQuery(goodsListQuery(query));
  // A second press may come before the URL has changed: it must build on the first.
  const wanted = useRef(query);
  const sent = useRef<string[]>([]);
  useEffect(() => {
    const own = sent.current.indexOf(search.toString());
    if (own < 0) wanted.current = readGoodsQuery(search);
    sent.current = sent.current.slice(own < 0 ? sent.current.length : own + 1);
  }, [search]);
  const change = (next: Partial<GoodsFilter>) => {
    wanted.current = { ...wanted.current, ...next };
    sent.current.push(writeGoodsQuery(wanted.current).toString());
    setSearch(writeGoodsQuery(wanted.current), { replace: true, preventScrollReset: true });
  };
  const clear = () => setSearch(new URLSearchParams(), { replace: true });

  return (
    <PullToRefresh onRefresh={goods.refresh}>
      <PageBody>
        <div className="catalog-goods-list">
          <GoodsFilters query={query} categories={categories.data} onChange={change} />
          <div className="catalog-goods-list__main">
            <GoodsResults
              goods={goods}
              asked={writeGoodsQuery(query).toString()}
              emptyTitle={t(filtered ? 'goodsList.empty' : 'home.empty')}
              emptyText={t(filtered ? 'goodsList.emptyText' : 'goodsList.emptyShop')}
              wayOn={
                filtered ? (
                  <Button onClick={clear}>{t('goodsList.clear')}</Button>
                ) : (
                  <Button to="/home">{t('goodsList.home')}</Button>
                )
              }
            />
          </div>
          <LetterIndex value={query.letter} onChange={(letter) => change({ letter })} />
        </div>
      </PageBody>
    </PullToRefresh>
  );
}
