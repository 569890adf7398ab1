import './icon.css';
import './picture.css';
import { useEffect, useRef, useState } from 'react';
import { useHydrating } from '../routing';
import { classNames } from './class-names';
import { useTexts } from './texts';

const attempts = 3;
/** By the preload factor 1.3: 30 % of the window, beside and below. */
const preloadMargin = '0px 30% 30% 30%';
const cacheMax = 200;
const retryDelay = 400;

/** URLs shown before: they appear without lazy loading and fade. */
const shown = new Set<string>();
function remember(src: string) {
  shown.delete(src);
  shown.add(src);
  const [oldest = ''] = shown;
  if (shown.size > cacheMax) shown.delete(oldest);
}

interface PictureProps {
  src: string | null | undefined;
  alt: string;
  /** Natural size in px: the aspect ratio, and the width unless a class sets another. */
  width: number;
  height: number;
  /** Off for pictures above the fold. */
  lazy?: boolean;
  className?: string;
}

export function Picture(props: PictureProps) {
  return <Attempts key={props.src} {...props} />;
}

function Attempts({ src, alt, width, height, lazy = true, className }: PictureProps) {
  const { t } = useTexts();
  const box = useRef<HTMLSpanElement>(null);
  // The browser loads a picture of the document without waiting for scripts.
  const hydrating = useHydrating();
  const [rendered] = useState(hydrating);
  const [near, setNear] = useState(rendered || !lazy || (src ? shown.has(src) : false));
  const [attempt, setAttempt] = useState(1);
  const [state, setState] = useState<'loading' | 'retrying' | 'loaded' | 'failed'>(
    !src ? 'failed' : rendered ? 'loaded' : 'loading',
  );

  useEffect(() => {
    const element = box.current;
    if (near || !element) return;
    if (typeof IntersectionObserver === 'undefined') {
      setNear(true);
      return;
    }
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: preloadMargin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [near]);

  useEffect(() => {
    if (state !== 'retrying') return;
    const timer = setTimeout(() => {
      setAttempt((count) => count + 1);
      setState('loading');
    }, retryDelay * attempt);
    return () => clearTimeout(timer);
  }, [state, attempt]);

  return (
    <span
      ref={box}
      className={classNames('ui-picture', `is-${state}`, className)}
      // Custom properties, so that a page's class can override the width.
      style={
        { '--ui-picture-width': `${width}px`, '--ui-picture-ratio': `${width} / ${height}` } as React.CSSProperties
      }
    >
      {state === 'failed' ? (
        <span
          className="ui-picture__error"
          role="img"
          aria-label={alt === '' ? undefined : `${alt} ${t('imageFailed')}`}
        >
          <svg className="ui-icon" viewBox="0 0 48 48" aria-hidden="true">
            <path d="M9 12h30a2 2 0 0 1 2 2v20a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V14a2 2 0 0 1 2-2zM7 31l10-9 6 6M28 27l5-4 8 8M24 12l-3 8 5 4-4 12" />
          </svg>
        </span>
      ) : (
        near &&
        src &&
        state !== 'retrying' && (
          <img
            key={attempt}
            src={src}
            alt={alt}
            width={width}
            height={height}
            decoding="async"
            fetchPriority={lazy ? undefined : 'high'}
            loading={rendered && lazy ? 'lazy' : undefined}
            className="ui-picture__image"
            // A cached picture can be complete before React attaches its handlers.
            ref={(image) => {
              if (!image?.complete) return;
              if (image.naturalWidth > 0) setState('loaded');
              else if (hydrating) setState('retrying');
            }}
            onLoad={() => {
              remember(src);
              setState('loaded');
            }}
            onError={() => setState(attempt < attempts ? 'retrying' : 'failed')}
          />
        )
      )}
    </span>
  );
}
