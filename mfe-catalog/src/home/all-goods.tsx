import { useListQuery } from '@shop/shared/query';
import { Section } from '@shop/shared/ui';
import { goodsListQuery } from '../common/goods.queries';
import { GoodsResults } from '../common/goods-results';
import { useTexts } from '../texts';

export default function AllGoods() {
  const { t } = useTexts();
  const goods = useListQuery(goodsListQuery({}));
  return (
    <Section title={t('allGames')}>
      <GoodsResults
        goods={goods}
        listKey=""
        emptyTitle={t('home.empty')}
        emptyText={t('goodsList.emptyShop')}
        wayOn={null}
      />
    </Section>
  );
}
