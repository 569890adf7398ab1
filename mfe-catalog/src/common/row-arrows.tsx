import './row-arrows.css';
import { Icon } from '@shop/shared/ui';
import { type RefObject, useEffect, useState } from 'react';

/** Share of the row's width per click, so that the last visible item stays visible. */
const step = 0.8;

/** Buttons for the mouse, each while its side has more: keyboards and screen readers move through the links themselves. */
export default function RowArrows({ list }: { list: RefObject<HTMLElement | null> }) {
  const [hasBefore, setHasBefore] = useState(false);
  const [hasAfter, setHasAfter] = useState(false);
  useEffect(() => {
    const row = list.current;
    if (!row) return;
    const look = () => {
      setHasBefore(row.scrollLeft > 1);
      setHasAfter(row.scrollLeft + row.clientWidth < row.scrollWidth - 1);
    };
    const watched = new ResizeObserver(look);
    watched.observe(row);
    row.addEventListener('scroll', look, { passive: true });
    return () => {
      watched.disconnect();
      row.removeEventListener('scroll', look);
    };
  }, [list]);
  const arrow = (side: 'before' | 'after') => (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      className={`catalog-row__arrow catalog-row__arrow--${side}`}
      onClick={() => {
        const row = list.current;
        const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
        const left = (row?.clientWidth ?? 0) * (side === 'before' ? -step : step);
        row?.scrollBy({ left, behavior: calm ? 'instant' : 'smooth' });
      }}
    >
      <Icon name={side === 'before' ? 'back' : 'chevron-right'} size={20} />
    </button>
  );
  return (
    <>
      {hasBefore && arrow('before')}
      {hasAfter && arrow('after')}
    </>
  );
}
