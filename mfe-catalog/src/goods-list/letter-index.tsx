import { classNames } from '@shop/shared/ui';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { useTexts } from '../texts';
import { letters } from './goods-query';

interface LetterIndexProps {
  value: string | undefined;
  /** The letters that lead to something. */
  available: ReadonlySet<string> | undefined;
  onChange: (letter: string | undefined) => void;
}

/** The first place takes the letter away. */
const marks = ['•', ...letters];
const steps: Record<string, number> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
  PageDown: 5,
  PageUp: -5,
};

/**
 * Phone: A to Z at the edge, by the name's initial (pinyin for Chinese names). One slider instead of 27 buttons, which would
 * be too small to hit: the finger slides along it, and what it rests on when it is lifted applies.
 */
export function LetterIndex({ value, available, onChange }: LetterIndexProps) {
  const { t } = useTexts();
  const [under, setUnder] = useState<number | null>(null);
  const now = value ? marks.indexOf(value) : 0;
  const choose = (place: number) => {
    const to = Math.max(0, Math.min(marks.length - 1, place));
    if (to !== now) onChange(to === 0 ? undefined : marks[to]);
  };
  const placeOf = ({ clientY, currentTarget }: PointerEvent) => {
    const { top, height } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(marks.length - 1, Math.floor(((clientY - top) / height) * marks.length)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? marks.length - 1 : step ? now + step : undefined;
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  };
  const shown = under ?? now;
  return (
    <div
      role="slider"
      tabIndex={0}
      className="catalog-letters"
      aria-label={t('goodsList.letters')}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={marks.length - 1}
      aria-valuenow={now}
      aria-valuetext={value ?? t('goodsList.anyLetter')}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture?.(event.pointerId);
        setUnder(placeOf(event));
      }}
      onPointerMove={(event) => under !== null && setUnder(placeOf(event))}
      onPointerUp={() => {
        if (under !== null) choose(under);
        setUnder(null);
      }}
      onPointerCancel={() => setUnder(null)}
    >
      {marks.map((mark, place) => (
        <span
          key={mark}
          aria-hidden="true"
          className={classNames(
            place === shown && 'is-chosen',
            place > 0 && available && !available.has(mark) && 'is-empty',
          )}
        >
          {mark}
        </span>
      ))}
      {under !== null && (
        <output className="catalog-letters__bubble" aria-hidden="true">
          {marks[under]}
        </output>
      )}
    </div>
  );
}
