import { get } from '@shop/shared/http';
import { queryOptions, useQuery } from '@shop/shared/query';
import { Section } from '@shop/shared/ui';
import { GoodsCard, GoodsCardsSkeleton } from '../common/goods-card';
import { useTexts } from '../texts';

const popularQuery = queryOptions({
  queryKey: ['catalog', 'popular-goods'],
  queryFn: () => get('/api/front/goods/list', { sort: 'hot', page: 1, limit: 12 }, { quiet: true }),
});

/** What sells best, for those who have no word to search for yet; left out if it fails to load. */
export function PopularGoods() {
  const { t } = useTexts();
  const { data, error } = useQuery(popularQuery);
  if (error || data?.list.length === 0) return null;
  return (
    <Section title={t('search.popular')}>
      {data ? (
        <ul className="catalog-cards">
          {data.list.map((goods) => (
            <li key={goods.id}>
              <GoodsCard goods={goods} />
            </li>
          ))}
        </ul>
      ) : (
        <GoodsCardsSkeleton />
      )}
    </Section>
  );
}
