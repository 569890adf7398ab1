import { prefetch, prefetchList, useQuery } from '@shop/shared/query';
import { useSearchParams } from '@shop/shared/router';
import { type LoaderArguments, useHydrating } from '@shop/shared/routing';
import { PageBody } from '@shop/shared/ui';
import { useEffect, useState } from 'react';
import { goodsListQuery, hotWordsQuery } from '../common/goods.queries';
import { readKeyword } from '../common/keyword';
import { modulesQuery } from '../home/home.queries';
import { SeenGoods } from '../seen/seen-goods';
import { useTexts } from '../texts';
import { HotWords } from './hot-words';
import { PopularGoods } from './popular-goods';
import { SearchBox } from './search-box';
import { clearHistory, readHistory, rememberSearch } from './search-history';
import { SearchHistory } from './search-history-list';
import { SearchResults } from './search-results';
import './search.css';

export function loader({ request }: LoaderArguments): null {
  prefetch(hotWordsQuery);
  const keyword = readKeyword(new URL(request.url).searchParams.get('keyword'));
  if (keyword) prefetchList(goodsListQuery({ keyword }));
  else prefetch(modulesQuery);
  return null;
}

export function Component() {
  const { t } = useTexts();
  const [search, setSearch] = useSearchParams();
  const keyword = readKeyword(search.get('keyword'));
  const hydrating = useHydrating();
  const [history, setHistory] = useState<string[] | null>(null);
  const words = history ?? (hydrating ? [] : readHistory());
  const hot = useQuery(hotWordsQuery);
  const modules = useQuery({ ...modulesQuery, enabled: !keyword });
  // What stands beneath the words comes when the rows above are known, so that nothing moves.
  const settled = [hot, modules].every(({ data, error }) => data || error);

  // Also what was searched for from the header.
  useEffect(() => {
    if (keyword) setHistory(rememberSearch(keyword));
  }, [keyword]);

  const searchFor = (word: string) => setSearch(word ? { keyword: word } : {}, { replace: Boolean(keyword) });
  const clear = () => {
    clearHistory();
    setHistory([]);
  };

  return (
    <PageBody>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search> */}
      <div role="search" className="catalog-search" aria-label={t('search.title')}>
        <SearchBox keyword={keyword} onSearch={searchFor} onChoose={(name) => setHistory(rememberSearch(name))} />
      </div>
      {keyword ? (
        <SearchResults keyword={keyword} hot={hot.data ?? []} onSearch={searchFor} />
      ) : (
        <div className="ui-stack ui-gap-5">
          <SearchHistory words={words} onSearch={searchFor} onClear={clear} />
          <HotWords words={hot.data} failed={Boolean(hot.error)} onSearch={searchFor} />
          {settled && (
            <>
              <PopularGoods />
              {/* Known after hydration only: nothing may stand behind it. */}
              <SeenGoods />
            </>
          )}
        </div>
      )}
    </PageBody>
  );
}
