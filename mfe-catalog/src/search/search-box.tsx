import { linkTo } from '@shop/shared/links';
import { prefetch, useQuery } from '@shop/shared/query';
import { useNavigate } from '@shop/shared/router';
import { Icon, IconButton, Picture } from '@shop/shared/ui';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { goodsDetailQuery, suggestionsQuery } from '../common/goods.queries';
import { useTexts } from '../texts';
import { useDebounced } from './use-debounced';

interface SearchBoxProps {
  keyword: string;
  onSearch: (word: string) => void;
  /** Called with the word of a chosen suggestion, for the search history. */
  onChoose: (name: string) => void;
}

const restMs = 160;

/** A combobox: arrows move through the suggestions, Enter takes one or searches for the typed word. */
export function SearchBox({ keyword, onSearch, onChoose }: SearchBoxProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(keyword);
  // A hot word or Back changes the URL; the box follows it.
  useEffect(() => setText(keyword), [keyword]);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const asked = useDebounced(text.trim(), restMs);
  const { data } = useQuery({ ...suggestionsQuery(asked), enabled: open && asked !== '' });
  const suggestions = open && text.trim() ? (data ?? []) : [];

  const type = (value: string) => {
    setText(value);
    setOpen(true);
    setActive(-1);
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (index: number) => {
    const goods = suggestions[index];
    if (!goods) return;
    close();
    onChoose(goods.name);
    navigate(linkTo('goods-detail', { id: goods.id }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (active >= 0) return choose(active);
    const word = text.trim();
    if (!word) return input.current?.focus();
    close();
    onSearch(word);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // During composition Enter and arrows belong to the input method.
    if (event.nativeEvent.isComposing) return;
    const count = suggestions.length;
    if (event.key === 'Escape') close();
    if (count === 0 || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    const step = event.key === 'ArrowDown' ? 1 : -1;
    setActive((now) => (now + step + (now < 0 && step < 0 ? 1 : 0) + count) % count);
  };

  return (
    // Before the scripts the browser sends the form.
    <form className="catalog-searchbox ui-row ui-gap-1" action={linkTo('search')} onSubmit={submit}>
      <Icon name="search" size={20} />
      <input
        ref={input}
        type="search"
        name="keyword"
        role="combobox"
        aria-label={t('search.label')}
        aria-autocomplete="list"
        aria-expanded={suggestions.length > 0}
        aria-controls={suggestions.length > 0 ? listId : undefined}
        aria-activedescendant={suggestions[active] ? `${listId}-${active}` : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={60}
        placeholder={t('home.search')}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {text && (
        <IconButton
          label={t('search.wipe')}
          icon="close"
          onClick={() => {
            setText('');
            close();
            if (keyword) onSearch('');
            input.current?.focus();
          }}
        />
      )}
      <button type="submit" className="catalog-searchbox__go">
        {t('search.go')}
      </button>
      {suggestions.length > 0 && (
        <div id={listId} role="listbox" aria-label={t('search.suggestions')} className="catalog-suggest">
          {suggestions.map((goods, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus (aria-activedescendant)
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
            <div
              key={goods.id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              className="catalog-suggest__option ui-row"
              // Before blur closes the list.
              onPointerDown={(event) => {
                event.preventDefault();
                prefetch(goodsDetailQuery(goods.id));
              }}
              onClick={() => choose(index)}
            >
              <Picture src={goods.image} alt="" width={36} height={36} />
              <span>{goods.name}</span>
            </div>
          ))}
        </div>
      )}
    </form>
  );
}
