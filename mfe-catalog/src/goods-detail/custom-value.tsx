import type { Currency, GoodsInfo } from '@shop/server/wire';
import { plainDigits, typedNumber } from '@shop/shared/domain/plain-text';
import { formatMoney, multiplyMoney } from '@shop/shared/money';
import { Chip } from '@shop/shared/ui';
import { useId, useState } from 'react';
import { useTexts } from '../texts';
import { isCustomValue, nearestCustomValue } from './selection';

type Custom = NonNullable<GoodsInfo['custom']>;

interface CustomValueProps {
  custom: Custom;
  value: number | null;
  currency: Currency;
  onChange: (value: number | null) => void;
}

function presets(custom: Custom): number[] {
  const values = [1, 2, 5, 10, 20, 50].map((times) => nearestCustomValue(custom, custom.min * times));
  return [...new Set(values)];
}

const numberOf = (text: string) => Number(plainDigits(text).slice(0, 9));

export function CustomValue({ custom, value, currency, onChange }: CustomValueProps) {
  const { t } = useTexts();
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? String(value ?? '');
  const amount = numberOf(text);
  const wrong = !isCustomValue(custom, amount);
  const type = (next: string) => {
    const number = typedNumber(next);
    setDraft(number);
    onChange(isCustomValue(custom, numberOf(number)) ? numberOf(number) : null);
  };
  const leave = () => {
    onChange(nearestCustomValue(custom, amount || custom.min));
    setDraft(null);
  };
  return (
    <div className="catalog-custom ui-stack">
      <label className="catalog-legend" htmlFor={id}>
        {t('goodsDetail.customValue')}
      </label>
      <div className="catalog-custom__row ui-row">
        <input
          id={id}
          className="ui-grow"
          inputMode="numeric"
          autoComplete="off"
          value={text}
          aria-invalid={wrong}
          aria-describedby={`${id}-hint`}
          onChange={({ target, nativeEvent }) =>
            (nativeEvent as InputEvent).isComposing ? setDraft(target.value) : type(target.value)
          }
          onCompositionEnd={({ currentTarget }) => type(currentTarget.value)}
          onBlur={leave}
        />
        <span aria-hidden="true">{custom.unit}</span>
        <span className="catalog-custom__price ui-digits" translate="no" aria-live="polite">
          {wrong ? '—' : formatMoney(multiplyMoney(custom.unit_price, amount), currency)}
        </span>
      </div>
      <p id={`${id}-hint`} className={wrong ? 'catalog-hint ui-hint is-wrong' : 'catalog-hint ui-hint'}>
        {t('goodsDetail.customHint', {
          min: custom.min,
          max: custom.max,
          step: custom.step,
          price: formatMoney(custom.unit_price, currency),
        })}
      </p>
      <div className="catalog-words ui-row ui-gap-2 ui-wrap">
        {presets(custom).map((preset) => (
          <Chip
            key={preset}
            selected={value === preset}
            onClick={() => {
              setDraft(null);
              onChange(preset);
            }}
          >
            {preset}
          </Chip>
        ))}
      </div>
    </div>
  );
}
