import './carousel.css';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { IconButton } from './button';
import { classNames } from './class-names';
import { useTexts } from './texts';

interface CarouselProps<T> {
  items: readonly T[];
  renderItem: (item: T, index: number) => ReactNode;
  label: string;
}

/** Slides by native scroll snapping, so that touch, wheel and keyboard work natively. */
export function Carousel<T>({ items, renderItem, label }: CarouselProps<T>) {
  const { t } = useTexts();
  const track = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState(0);
  const count = items.length;

  const go = (target: number) => {
    const element = track.current;
    if (!element) return;
    const next = (target + count) % count;
    const calm = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
    element.scrollTo?.({ left: next * element.clientWidth, behavior: calm ? 'instant' : 'smooth' });
    setIndex(next);
  };

  return (
    <section className="ui-carousel" aria-roledescription="carousel" aria-label={label}>
      <div
        ref={track}
        className="ui-carousel__track"
        onScroll={(event) => {
          const { scrollLeft, clientWidth } = event.currentTarget;
          if (clientWidth > 0) setIndex(Math.round(scrollLeft / clientWidth));
        }}
      >
        {items.map((item, slide) => (
          // biome-ignore lint/a11y/useSemanticElements: a slide is a group, not a fieldset
          <div
            key={slide}
            role="group"
            aria-roledescription="slide"
            aria-label={t('slide', { index: slide + 1, count })}
            inert={slide !== index}
            className="ui-carousel__slide"
          >
            {renderItem(item, slide)}
          </div>
        ))}
      </div>
      {count > 1 && (
        <>
          <IconButton icon="back" label={t('previous')} className="ui-carousel__arrow" onClick={() => go(index - 1)} />
          <IconButton
            icon="chevron-right"
            label={t('next')}
            className="ui-carousel__arrow ui-carousel__arrow--next"
            onClick={() => go(index + 1)}
          />
          <div className="ui-carousel__dots" aria-hidden="true">
            {items.map((_, dot) => (
              <span key={dot} className={classNames('ui-carousel__dot', dot === index && 'is-current')} />
            ))}
          </div>
        </>
      )}
    </section>
  );
}
