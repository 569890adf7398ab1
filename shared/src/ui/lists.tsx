import './lists.css';
import type { ReactNode } from 'react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ListResult } from '../query/list';
import { Button } from './button';
import { Spinner } from './spinner';
import { useTexts } from './texts';

interface RefreshableProps {
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
    <div ref={foot} className="ui-load-more">
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
