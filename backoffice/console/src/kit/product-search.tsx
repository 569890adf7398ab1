import type { ReactNode } from 'react';
import { go } from '../location';
import { pairTexts } from '../pair-texts';
import { SearchForm } from './search-form';

const { useTexts } = pairTexts('staff-product-search', {
  search: ['搜索商品', 'Search products'],
  hint: ['名称、别名、拼音或编号', 'Name, alias, pinyin or key'],
  find: ['查找', 'Find'],
});

/** Opens `#/<page>/find/<words>`. */
export function ProductSearch({ page, words, more }: { page: string; words: string; more?: ReactNode }) {
  const { t } = useTexts();
  return (
    <SearchForm
      t={t}
      words={words}
      label="search"
      hint="hint"
      submit={t('find')}
      onSearch={(typed) => go(`${page}/find/${encodeURIComponent(typed)}`)}
      more={more}
    />
  );
}
