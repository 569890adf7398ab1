import { observer } from '@shop/shared/state';
import { Sheet } from '@shop/shared/ui';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { useShell } from '../../shell-context';
import { useTexts } from '../texts';
import { countryName, likelyCountry } from './country';
import { callingCode, countries } from './phone-numbers';

// In one chunk: a user who chooses another country needs both.
export { callingCode, readNumber } from './phone-numbers';

export interface CountrySheetProps {
  country: string;
  onChoose: (country: string) => void;
  onClose: () => void;
}

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\s+]/g, '')
    .toLowerCase();

interface Row {
  code: string;
  name: string;
  calling: string;
  /** The searched text: names in both languages, calling code, ISO code. */
  searchText: string;
}

/** All countries by name, likely ones first. */
function rowsIn(language: string, accepted: readonly string[]): Row[] {
  const first = ['CN', likelyCountry('en')];
  const rank = ({ code }: Row) => (first.includes(code) ? first.indexOf(code) : first.length);
  const { compare } = new Intl.Collator(language);
  return accepted
    .map((code) => {
      const name = countryName(code, language);
      const other = countryName(code, language === 'en' ? 'zh-CN' : 'en');
      const calling = callingCode(code);
      return { code, name, calling, searchText: plain(`${name}|${other}|${calling}|${code}`) };
    })
    .sort((left, right) => rank(left) - rank(right) || compare(left.name, right.name));
}

/** A combobox: the focus stays in the search field, and arrows move through the countries. */
export const CountrySheet = observer(function CountrySheet({ country, onChoose, onClose }: CountrySheetProps) {
  const { t, language } = useTexts();
  const id = useId();
  const [word, setWord] = useState('');
  const [moved, setActive] = useState<number>();
  const accepted = useShell().appConfig.phoneCountries;
  const all = useMemo(
    () => rowsIn(language, accepted ? countries.filter((code) => accepted.includes(code)) : countries),
    [language, accepted],
  );
  const rows = all.filter(({ searchText }) => searchText.includes(plain(word)));
  /** The chosen country, until a key or a search moves elsewhere. */
  const active =
    moved ??
    Math.max(
      0,
      rows.findIndex(({ code }) => code === country),
    );
  const optionId = (index: number) => `${id}-${index}`;

  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [id, active]);

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      setActive(Math.min(Math.max(active + step, 0), rows.length - 1));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      const row = rows[active];
      if (row) onChoose(row.code);
    }
  };

  return (
    <Sheet open onClose={onClose} title={t('phone.country')}>
      <div className="shell-countries ui-stack ui-gap-2">
        <input
          data-autofocus=""
          type="search"
          role="combobox"
          className="shell-countries__search"
          aria-label={t('phone.search')}
          placeholder={t('phone.search')}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={rows.length > 0 ? optionId(active) : undefined}
          autoComplete="off"
          enterKeyHint="done"
          value={word}
          onChange={(event) => {
            setWord(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div id={id} role="listbox" aria-label={t('phone.country')} className="shell-countries__list">
          {rows.map(({ code, name, calling }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the combobox
            <div
              key={code}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={code === country}
              data-active={index === active ? '' : undefined}
              className="shell-countries__row ui-row ui-spread"
              onClick={() => onChoose(code)}
            >
              <span>{name}</span>
              <span className="shell-countries__code">{calling}</span>
            </div>
          ))}
        </div>
        <p role="status" className="shell-countries__none">
          {rows.length === 0 ? t('phone.none') : ''}
        </p>
      </div>
    </Sheet>
  );
});
