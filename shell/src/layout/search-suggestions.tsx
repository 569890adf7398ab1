import './search-suggestions.css';
import { linkTo } from '@shop/shared/links';
import { useQuery } from '@shop/shared/query';
import { useNavigate } from '@shop/shared/router';
import { Picture } from '@shop/shared/ui';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { suggestionsQuery } from './search.queries';
import { useTexts } from './search-texts';

/** How long typing must rest, in ms. */
const restMs = 160;

interface SearchSuggestionsProps {
  input: HTMLInputElement;
  /** Of the list, which the field names. */
  id: string;
}

/**
 * Of the header's field, a combobox: arrows move through the suggestions, Enter takes one or searches for the typed word. It listens to the
 * field itself, which works before this code is there.
 */
export default function SearchSuggestions({ input, id }: SearchSuggestionsProps): ReactNode {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [word, setWord] = useState('');
  const [active, setActive] = useState(-1);
  const { data } = useQuery({ ...suggestionsQuery(word), enabled: word !== '' });
  const suggestions = (word && data) || [];
  const count = suggestions.length;
  const optionId = (index: number) => `${id}-${index}`;

  const close = useCallback(() => {
    setWord('');
    setActive(-1);
  }, []);
  const choose = (index: number) => {
    const goods = suggestions[index];
    if (!goods) return;
    close();
    input.form?.reset();
    void navigate(linkTo('goods-detail', { id: goods.id }));
  };

  useEffect(() => {
    let rest: ReturnType<typeof setTimeout> | undefined;
    const onInput = () => {
      setActive(-1);
      clearTimeout(rest);
      rest = setTimeout(() => setWord(input.value.trim()), restMs);
    };
    const end = () => {
      clearTimeout(rest);
      close();
    };
    // Typed before this code was there.
    if (input.value !== input.defaultValue) onInput();
    const { form } = input;
    input.addEventListener('input', onInput);
    input.addEventListener('blur', end);
    form?.addEventListener('submit', end);
    return () => {
      clearTimeout(rest);
      input.removeEventListener('input', onInput);
      input.removeEventListener('blur', end);
      form?.removeEventListener('submit', end);
    };
  }, [input, close]);

  // Without dependencies: what a key does follows the suggestions that are shown.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // During composition Enter and arrows belong to the input method.
      if (event.isComposing || count === 0) return;
      if (event.key === 'Escape') close();
      else if (event.key === 'Enter' && active >= 0) choose(active);
      else if (event.key === 'ArrowDown') setActive((active + 1) % count);
      else if (event.key === 'ArrowUp') setActive(active > 0 ? active - 1 : count - 1);
      else return;
      event.preventDefault();
    };
    input.addEventListener('keydown', onKeyDown);
    return () => input.removeEventListener('keydown', onKeyDown);
  });

  useEffect(() => {
    input.setAttribute('aria-expanded', String(count > 0));
    if (count > 0 && active >= 0) input.setAttribute('aria-activedescendant', `${id}-${active}`);
    else input.removeAttribute('aria-activedescendant');
  }, [input, id, count, active]);

  if (count === 0) return null;
  return (
    <div id={id} role="listbox" aria-label={t('searchSuggestions')} className="shell-suggestions">
      {suggestions.map((goods, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus (aria-activedescendant)
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
        <div
          key={goods.id}
          id={optionId(index)}
          role="option"
          aria-selected={index === active}
          className="shell-suggestions__option ui-row"
          // The input keeps the focus: its blur closes the list before the press has ended.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(index)}
        >
          <Picture src={goods.image} alt="" width={36} height={36} />
          <span>{goods.name}</span>
        </div>
      ))}
    </div>
  );
}
