import { linkTo } from '@shop/shared/links';
import { prefetch, prefetchList, useListQuery, useQuery } from '@shop/shared/query';
import { useSearchParams } from '@shop/shared/router';
import { type LoaderArguments, useHydrating } from '@shop/shared/routing';
import { Button, Chip, PageBody, Section, Skeleton } from '@shop/shared/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { goodsListQuery, hotWordsQuery, readKeyword } from '../common/goods.queries';
import { GoodsResults } from '../common/goods-results';
import { SeenGoods } from '../seen/seen-goods';
import { useTexts } from '../texts';
import { SearchBox } from './search-box';
import './search.css';
import { storedList } from '../common/stored-list';

const places = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

interface WordsProps {
  title: string;
  action?: ReactNode;
  /** Undefined until they are loaded. */
  words: string[] | undefined;
  onSearch: (word: string) => void;
}

function Words({ title, action, words, onSearch }: WordsProps) {
  if (words?.length === 0) return null;
  return (
    <Section title={title} action={action}>
      <div className="catalog-words ui-row ui-gap-2 ui-wrap">
        {words
          ? words.map((word) => (
              <Chip key={word} selected={false} onClick={() => onSearch(word)}>
                {word}
              </Chip>
            ))
          : places.map((place) => <Skeleton key={place} shape="block" width="84px" height="44px" />)}
      </div>
    </Section>
  );
}

const searchHistory = storedList('catalog.search-history', 10, (value): value is string => typeof value === 'string');

function rememberSearch(word: string): string[] {
  const folded = fold(word);
  const words = searchHistory.read();
  if (!folded) return words;
  return searchHistory.write([word.trim(), ...words.filter((entry) => fold(entry) !== folded)]);
}

function fold(word: string): string {
  return word.trim().normalize('NFKC').toLowerCase();
}

export function loader({ request }: LoaderArguments): void {
  prefetch(hotWordsQuery);
  const keyword = readKeyword(new URL(request.url).searchParams.get('keyword'));
  if (keyword) prefetchList(goodsListQuery({ keyword }));
}

export function Component() {
  const { t } = useTexts();
  const [search, setSearch] = useSearchParams();
  const keyword = readKeyword(search.get('keyword'));
  const hydrating = useHydrating();
  const [history, setHistory] = useState<string[] | null>(null);
  const words = history ?? (hydrating ? [] : searchHistory.read());
  const hot = useQuery(hotWordsQuery);

  useEffect(() => {
    if (keyword) setHistory(rememberSearch(keyword));
  }, [keyword]);

  const searchFor = (word: string) => setSearch(word ? { keyword: word } : {}, { replace: Boolean(keyword) });
  const hotWords = (words: string[] | undefined) => (
    <Words title={t('search.hot')} words={words} onSearch={searchFor} />
  );

  return (
    <PageBody>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search> */}
      <div role="search" className="catalog-search" aria-label={t('search.title')}>
        <SearchBox keyword={keyword} onSearch={searchFor} onChoose={(name) => setHistory(rememberSearch(name))} />
      </div>
      {keyword ? (
        <SearchResults keyword={keyword}>{hotWords(hot.data ?? [])}</SearchResults>
      ) : (
        <div className="ui-stack ui-gap-5">
          <Words
            title={t('search.history')}
            action={
              <Button kind="ghost" size="s" onClick={() => setHistory(searchHistory.write([]))}>
                {t('seen.clear')}
              </Button>
            }
            words={words}
            onSearch={searchFor}
          />
          {hotWords(hot.error ? [] : hot.data)}
          {/* Rendered after hydration and below the loaded words, so that nothing moves; so nothing may follow it. */}
          {(hot.data || hot.error) && <SeenGoods />}
        </div>
      )}
    </PageBody>
  );
}

/** The children are shown below an empty result. */
function SearchResults({ keyword, children }: { keyword: string; children: ReactNode }) {
  const { t } = useTexts();
  const goods = useListQuery(goodsListQuery({ keyword }));
  const isEmpty = !goods.isLoading && !goods.error && goods.items.length === 0;
  return (
    <>
      <GoodsResults
        goods={goods}
        listKey={keyword}
        emptyTitle={t('search.empty', { keyword })}
        emptyText={t('search.emptyText')}
        wayOn={<Button to={linkTo('goods-list')}>{t('allGames')}</Button>}
      />
      {isEmpty && children}
    </>
  );
}
