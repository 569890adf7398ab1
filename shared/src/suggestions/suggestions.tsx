/** Suggested products below a search field. Each importer bundles them, so they are not in the shell's first script. */
import './suggestions.css';
import { getQuery } from '@shop/shared/http';
import { useQuery } from '@shop/shared/query';
import { useNavigate } from '@shop/shared/router';
import { Picture } from '@shop/shared/ui';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { linkTo } from '../links';

/** Pause after the last key, in ms. */
const restMs = 160;

const suggestionsQuery = (keyword: string) =>
  getQuery('/api/front/search/suggest', ['suggestions', keyword], { keyword });

interface SuggestionsProps {
  /** Needs a label, `role="combobox"`, `aria-autocomplete="list"` and `aria-expanded="false"`. */
  input: HTMLInputElement;
  /** A pointer is down on a product: the data of its page can be fetched. */
  onPress?: (goodsId: number) => void;
  /** The page of the chosen product opens by itself. */
  onChoose: (name: string) => void;
}

/**
 * Makes a search field a combobox: arrows move through the suggestions, Enter chooses one or submits the form. It adds listeners
 * to the field, which works before this code has loaded.
 */
export function Suggestions({ input, onPress, onChoose }: SuggestionsProps): ReactNode {
  const id = useId();
  const navigate = useNavigate();
  /** Empty while the list is closed. */
  const [typed, setTyped] = useState('');
  const [word, setWord] = useState('');
  const [active, setActive] = useState(-1);
  const { data } = useQuery({ ...suggestionsQuery(word), enabled: word !== '' });
  const suggestions = (typed && data) || [];
  const count = suggestions.length;
  const isActive = active >= 0 && active < count;

  const choose = (index: number) => {
    const goods = suggestions[index];
    if (!goods) return;
    setTyped('');
    onChoose(goods.name);
    void navigate(linkTo('goods-detail', { id: goods.id }));
  };

  useEffect(() => {
    const timer = setTimeout(() => setWord(typed), restMs);
    return () => clearTimeout(timer);
  }, [typed]);

  useEffect(() => {
    const onInput = () => {
      setActive(-1);
      setTyped(input.value.trim());
    };
    const close = () => setTyped('');
    const { form } = input;
    // The user typed before this code had loaded.
    if (input.value !== input.defaultValue) onInput();
    input.addEventListener('input', onInput);
    input.addEventListener('blur', close);
    form?.addEventListener('submit', close);
    return () => {
      input.removeEventListener('input', onInput);
      input.removeEventListener('blur', close);
      form?.removeEventListener('submit', close);
    };
  }, [input]);

  // Without dependencies: the key handlers and the ARIA attributes follow the current suggestions.
  useEffect(() => {
    const say = (attribute: string, value: string | false) =>
      value ? input.setAttribute(attribute, value) : input.removeAttribute(attribute);
    say('aria-expanded', String(count > 0));
    say('aria-controls', count > 0 && id);
    say('aria-activedescendant', isActive && `${id}-${active}`);

    const onKeyDown = (event: KeyboardEvent) => {
      // During composition Enter and arrows belong to the input method.
      if (event.isComposing || count === 0) return;
      if (event.key === 'Escape') setTyped('');
      else if (event.key === 'Enter' && isActive) choose(active);
      else if (event.key === 'ArrowDown') setActive((active + 1) % count);
      else if (event.key === 'ArrowUp') setActive(active > 0 ? active - 1 : count - 1);
      else return;
      event.preventDefault();
    };
    input.addEventListener('keydown', onKeyDown);
    return () => input.removeEventListener('keydown', onKeyDown);
  });

  if (count === 0) return null;
  return (
    <div id={id} role="listbox" aria-label={input.getAttribute('aria-label') ?? undefined} className="ui-suggestions">
      {suggestions.map((goods, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus (aria-activedescendant)
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
        <div
          key={goods.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className="ui-suggestions__option ui-row"
          onPointerDown={(event) => {
            // The input keeps the focus: its blur would close the list before the click.
            event.preventDefault();
            onPress?.(goods.id);
          }}
          onClick={() => choose(index)}
        >
          <Picture src={goods.image} alt="" width={36} height={36} />
          <span>{goods.name}</span>
        </div>
      ))}
    </div>
  );
}
