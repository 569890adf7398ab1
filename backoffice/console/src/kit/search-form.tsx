import type { Translate } from '@shop/shared/i18n';
import type { ReactNode } from 'react';
import { go } from '../location';
import { pairTexts } from '../pair-texts';
import { ActionForm } from './action-form';
import type { FieldSpec } from './fields';

interface SearchFormProps<Key extends string> extends Omit<FieldSpec<{ words: string }, Key>, 'name'> {
  t: Translate<Key>;
  words: string;
  submit: string;
  onSearch(words: string): void;
  more?: ReactNode;
}

export const SearchForm = <Key extends string>(props: SearchFormProps<Key>) => {
  const { t, words, submit, onSearch, more, ...rules } = props;
  return (
    <ActionForm
      key={words}
      className="card row search"
      layout="grow"
      fields={[{ kind: 'search', maxLength: 60, ...rules, name: 'words' }]}
      t={t}
      start={{ words }}
      onceSent={{}}
      submit={submit}
      icon="search"
      more={() => more}
      onSubmit={async (typed) => onSearch(typed.words.trim())}
    />
  );
};

const { useTexts } = pairTexts('staff-product-search', {
  search: ['搜索商品', 'Search products'],
  hint: ['名称、别名、拼音或编号', 'Name, alias, pinyin or key'],
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
      submit={t('nav.find')}
      onSearch={(typed) => go(`${page}/find/${encodeURIComponent(typed)}`)}
      more={more}
    />
  );
}
