import './loading.css';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ListResult } from '../query/list';
import { Button } from './button';
import { classNames } from './class-names';
import { ErrorState } from './empty';
import { Spinner } from './spinner';
import { useTexts } from './texts';

interface SkeletonProps {
  width?: number | string;
  height?: number | string;
  /** Number of text lines, the last one shorter. */
  lines?: number;
  shape?: 'block' | 'text' | 'card';
  className?: string;
}

/** A placeholder of the final size, hidden from screen readers (mark the list with aria-busy instead). */
export function Skeleton({ width, height, lines, shape = lines ? 'text' : 'block', className }: SkeletonProps) {
  const classes = classNames('ui-skeleton', `ui-skeleton--${shape}`, className);
  if (lines) {
    return (
      <span className="ui-skeleton-lines" aria-hidden="true" style={{ width }}>
        {Array.from({ length: lines }, (_, line) => (
          <span key={line} className={classes} style={{ height }} />
        ))}
      </span>
    );
  }
  return <span className={classes} style={{ width, height }} aria-hidden="true" />;
}

interface WaitingProps {
  query: { error: unknown; refetch: () => unknown };
  /** Heights of the skeleton's cards, in px. */
  heights: readonly number[];
  className?: string;
}

/** Renders a skeleton until there is an answer, and after a failure a button that tries again. */
export function Waiting({ query: { error, refetch }, heights, className = 'ui-gap-4' }: WaitingProps) {
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className={`ui-stack ${className}`} aria-busy="true">
      {heights.map((height, place) => (
        <Skeleton key={place} shape="card" height={height} />
      ))}
    </div>
  );
}

interface LoadMoreProps {
  list: Pick<ListResult<unknown>, 'hasMore' | 'isLoadingMore' | 'error' | 'loadMore'>;
}

/** Loads when the end of the list comes near the viewport; a button loads and retries too. */
export function LoadMore({ list: { hasMore, isLoadingMore, error, loadMore } }: LoadMoreProps) {
  const { t } = useTexts();
  const foot = useRef<HTMLDivElement>(null);
  const loadNext = useEffectEvent(loadMore);
  const waiting = hasMore && !isLoadingMore && !error;
  useEffect(() => {
    if (!waiting || !foot.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && loadNext(),
      { rootMargin: '0px 0px 320px' },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [waiting]);
  return (
    <div ref={foot} className="ui-load-more ui-row ui-gap-2 ui-hint">
      {isLoadingMore ? (
        <Spinner label={t('loading')} />
      ) : error ? (
        <>
          <span role="alert">{t('loadFailed')}</span>
          <Button kind="ghost" size="s" onClick={loadMore}>
            {t('retry')}
          </Button>
        </>
      ) : hasMore ? (
        <Button kind="ghost" size="s" onClick={loadMore}>
          {t('loadMore')}
        </Button>
      ) : (
        <span>{t('noMore')}</span>
      )}
    </div>
  );
}
