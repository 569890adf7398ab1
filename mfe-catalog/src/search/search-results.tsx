import { useInfinitePageData } from '@shop/shared/query';
import { Button } from '@shop/shared/ui';
import { fetchGoods, goodsListKey } from '../common/catalogue.api';
import { GoodsResults } from '../common/goods-results';
import { useTexts } from '../texts';
import { HotWords } from './hot-words';

interface SearchResultsProps {
  keyword: string;
  hot: string[];
  onSearch: (word: string) => void;
}

/** The products of a word; nothing found leads on to the hot words, all games and the support. */
export function SearchResults({ keyword, hot, onSearch }: SearchResultsProps) {
  const { t } = useTexts();
  const query = { keyword };
  const goods = useInfinitePageData(goodsListKey(query), (page) => fetchGoods(query, page));
  const nothing = !goods.isLoading && !goods.error && goods.items.length === 0;
  return (
    <>
      <GoodsResults
        goods={goods}
        asked={keyword}
        emptyTitle={t('search.empty', { keyword })}
        emptyText={t('search.emptyText')}
        wayOn={<Button to="/goods">{t('allGames')}</Button>}
      />
      {nothing && <HotWords words={hot} failed={false} onSearch={onSearch} />}
    </>
  );
}
