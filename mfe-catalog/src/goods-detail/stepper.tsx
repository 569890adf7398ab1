import { IconButton } from '@shop/shared/ui';
import { useState } from 'react';
import { useTexts } from '../texts';

interface StepperProps {
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  label: string;
}

/** A whole number between `min` and `max`; clamped on blur. */
export function Stepper({ value, min, max, onChange, label }: StepperProps) {
  const { t } = useTexts();
  const [draft, setDraft] = useState<string | null>(null);
  const set = (wanted: number) => {
    const next = Math.max(min, Math.min(max, wanted));
    if (next !== value) onChange(next);
  };
  const leave = () => {
    if (draft !== null && draft !== '') set(Number(draft));
    setDraft(null);
  };
  const byKey = (key: string) => {
    const typed = draft ? Number(draft) : value;
    return { ArrowUp: typed + 1, ArrowDown: typed - 1, Home: min, End: max, Enter: typed }[key];
  };
  return (
    <div className="catalog-stepper">
      <IconButton
        icon="minus"
        size={18}
        label={t('goodsDetail.decrease', { label })}
        disabled={value <= min}
        onClick={() => set(value - 1)}
      />
      <input
        // type=number would change on wheel and accept "e".
        role="spinbutton"
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={min}
        aria-valuemax={max}
        value={draft ?? String(value)}
        onChange={(event) => setDraft(event.target.value.replace(/\D/g, '').slice(0, 9))}
        onFocus={(event) => event.target.select()}
        onBlur={leave}
        onKeyDown={(event) => {
          const wanted = byKey(event.key);
          if (wanted === undefined) return;
          event.preventDefault();
          setDraft(null);
          set(wanted);
        }}
      />
      <IconButton
        icon="plus"
        size={18}
        label={t('goodsDetail.increase', { label })}
        disabled={value >= max}
        onClick={() => set(value + 1)}
      />
    </div>
  );
}
