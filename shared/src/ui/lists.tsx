import './lists.css';
import type { ReactNode } from 'react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from './button';
import { Spinner } from './spinner';
import { useTexts } from './texts';

export interface RefreshableProps {
  onRefresh: () => unknown | Promise<unknown>;
  children: ReactNode;
}

export function Refreshable({ onRefresh, children }: RefreshableProps) {
  const { t } = useTexts();
  const [phase, setPhase] = useState<'idle' | 'busy' | 'done'>('idle');
  const refresh = async () => {
    setPhase('busy');
    try {
      await onRefresh();
      setPhase('done');
    } catch {
      setPhase('idle');
    }
  };
  return (
    <div className="ui-refreshable">
      <span className="ui-visually-hidden" role="status">
        {phase === 'busy' ? t('refreshing') : phase === 'done' ? t('refreshed') : ''}
      </span>
      <div className="ui-refreshable__button">
        <Button kind="ghost" size="s" icon="refresh" disabled={phase === 'busy'} onClick={() => void refresh()}>
          {t('refresh')}
        </Button>
      </div>
      {children}
    </div>
  );
}

export interface LoadMoreProps {
  hasMore: boolean;
  loading: boolean;
  error?: unknown;
  onMore: () => void;
}

/** Loads when the end of the list comes near the viewport; a button loads and retries too. */
export function LoadMore({ hasMore, loading, error, onMore }: LoadMoreProps) {
  const { t } = useTexts();
  const foot = useRef<HTMLDivElement>(null);
  const loadMore = useEffectEvent(onMore);
  const waiting = hasMore && !loading && !error;
  useEffect(() => {
    if (!waiting || !foot.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && loadMore(),
      { rootMargin: '0px 0px 320px' },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [waiting]);
  return (
    <div ref={foot} className="ui-load-more">
      {loading ? (
        <Spinner label={t('loading')} />
      ) : error ? (
        <>
          <span role="alert">{t('loadFailed')}</span>
          <Button kind="ghost" size="s" onClick={() => onMore()}>
            {t('retry')}
          </Button>
        </>
      ) : hasMore ? (
        <Button kind="ghost" size="s" onClick={() => onMore()}>
          {t('loadMore')}
        </Button>
      ) : (
        <span>{t('noMore')}</span>
      )}
    </div>
  );
}
