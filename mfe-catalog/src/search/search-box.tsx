import { linkTo } from '@shop/shared/links';
import { prefetch } from '@shop/shared/query';
import { Suggestions } from '@shop/shared/suggestions';
import { Icon, IconButton } from '@shop/shared/ui';
import { type FormEvent, useEffect, useState } from 'react';
import { goodsDetailQuery } from '../common/goods.queries';
import { useTexts } from '../texts';

interface SearchBoxProps {
  keyword: string;
  onSearch: (word: string) => void;
  /** Called with the word of a chosen suggestion, for the search history. */
  onChoose: (name: string) => void;
}

const prefetchGoods = (goodsId: number) => prefetch(goodsDetailQuery(goodsId));

export function SearchBox({ keyword, onSearch, onChoose }: SearchBoxProps) {
  const { t } = useTexts();
  const [input, setInput] = useState<HTMLInputElement | null>(null);
  const [text, setText] = useState(keyword);
  // A popular search or Back changes the URL; the box follows it.
  useEffect(() => setText(keyword), [keyword]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const word = text.trim();
    if (word) onSearch(word);
    else input?.focus();
  };

  return (
    // Before hydration the browser submits the form.
    <form className="catalog-searchbox ui-row ui-gap-1" action={linkTo('search')} onSubmit={submit}>
      <Icon name="search" size={20} />
      <input
        ref={setInput}
        className="ui-grow"
        type="search"
        name="keyword"
        role="combobox"
        aria-label={t('search.label')}
        aria-autocomplete="list"
        aria-expanded="false"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={60}
        placeholder={t('home.search')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {text && (
        <IconButton
          label={t('search.wipe')}
          icon="close"
          onClick={() => {
            setText('');
            if (keyword) onSearch('');
            input?.focus();
          }}
        />
      )}
      <button type="submit" className="catalog-searchbox__go">
        {t('search.title')}
      </button>
      {input && <Suggestions input={input} onPress={prefetchGoods} onChoose={onChoose} />}
    </form>
  );
}
