import { linkTo } from '@shop/shared/links';
import { useListQuery } from '@shop/shared/query';
import { Button } from '@shop/shared/ui';
import { goodsListQuery } from '../common/goods.queries';
import { GoodsResults } from '../common/goods-results';
import { useTexts } from '../texts';
import { HotWords } from './hot-words';

interface SearchResultsProps {
  keyword: string;
  hot: string[];
  onSearch: (word: string) => void;
}

/** Goods found for a keyword; an empty result offers hot words, all games and support. */
export function SearchResults({ keyword, hot, onSearch }: SearchResultsProps) {
  const { t } = useTexts();
  const goods = useListQuery(goodsListQuery({ keyword }));
  const nothing = !goods.isLoading && !goods.error && goods.items.length === 0;
  return (
    <>
      <GoodsResults
        goods={goods}
        asked={keyword}
        emptyTitle={t('search.empty', { keyword })}
        emptyText={t('search.emptyText')}
        wayOn={<Button to={linkTo('goods-list')}>{t('allGames')}</Button>}
      />
      {nothing && <HotWords words={hot} failed={false} onSearch={onSearch} />}
    </>
  );
}
