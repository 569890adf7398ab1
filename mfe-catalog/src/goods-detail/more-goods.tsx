import type { GoodsInfo } from '@shop/server/wire';
import { getQuery } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { useQuery } from '@shop/shared/query';
import { Button, ErrorState, Section, Skeleton } from '@shop/shared/ui';
import { useEffect, useRef, useState } from 'react';
import { GoodsTiles } from '../common/goods-tiles';
import { SeenGoods } from '../seen/seen-goods';
import { useTexts } from '../texts';

const shown = 8;
const relatedQuery = (category_id: number) =>
  getQuery('/api/front/goods/list', ['catalog', 'related', category_id], {
    category_id,
    sort: 'hot',
    page: 1,
    limit: shown + 1,
  });

export function MoreGoods({ goods }: { goods: GoodsInfo }) {
  const { t } = useTexts();
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!place.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: '0px 0px 400px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const related = useQuery({ ...relatedQuery(goods.category_id), enabled: isNear });
  const others = related.data?.list.filter(({ id }) => id !== goods.id).slice(0, shown);
  return (
    <div ref={place} className="catalog-more ui-stack ui-gap-5">
      {(!others || others.length > 0) && (
        <Section
          title={t('related.title')}
          action={
            <Button kind="ghost" size="s" to={linkTo('goods-list', {}, { category_id: goods.category_id })}>
              {t('related.all')}
            </Button>
          }
        >
          {others ? (
            <GoodsTiles goods={others} />
          ) : related.error ? (
            <ErrorState error={related.error} onRetry={() => void related.refetch()} />
          ) : (
            <Skeleton height={180} shape="card" />
          )}
        </Section>
      )}
      {isNear && <SeenGoods except={goods.id} />}
    </div>
  );
}
