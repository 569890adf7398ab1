import './stepper.css';
import { useState } from 'react';
import { plainDigits, typedNumber } from '../domain/plain-text';
import { IconButton } from './button';
import { useTexts } from './texts';

interface StepperProps {
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  label: string;
}

const numberOf = (draft: string) => Number(plainDigits(draft).slice(0, 9));

/** A whole number between `min` and `max`; clamped on blur. */
export function Stepper({ value, min, max, onChange, label }: StepperProps) {
  const { t } = useTexts();
  const [draft, setDraft] = useState<string | null>(null);
  const set = (amount: number) => {
    const next = Math.max(min, Math.min(max, amount));
    if (next !== value) onChange(next);
  };
  const leave = () => {
    if (draft !== null && /\d/.test(draft)) set(numberOf(draft));
    setDraft(null);
  };
  return (
    <div className="ui-stepper">
      <IconButton
        icon="minus"
        size={18}
        label={t('decrease', { label })}
        disabled={value <= min}
        onClick={() => set(value - 1)}
      />
      <input
        // type=number would change on wheel and accept "e".
        role="spinbutton"
        className="ui-digits"
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        aria-valuenow={value}
        aria-valuemin={min}
        aria-valuemax={max}
        value={draft ?? String(value)}
        onChange={({ target, nativeEvent }) =>
          setDraft((nativeEvent as InputEvent).isComposing ? target.value : typedNumber(target.value))
        }
        onCompositionEnd={({ currentTarget }) => setDraft(typedNumber(currentTarget.value))}
        onFocus={(event) => event.target.select()}
        onBlur={leave}
        onKeyDown={(event) => {
          const current = draft ? numberOf(draft) : value;
          const target = { ArrowUp: current + 1, ArrowDown: current - 1, Home: min, End: max }[event.key];
          if (target !== undefined) {
            event.preventDefault();
            setDraft(null);
            set(target);
          } else if (event.key === 'Enter') {
            event.preventDefault();
            leave();
          }
        }}
      />
      <IconButton
        icon="plus"
        size={18}
        label={t('increase', { label })}
        disabled={value >= max}
        onClick={() => set(value + 1)}
      />
    </div>
  );
}
