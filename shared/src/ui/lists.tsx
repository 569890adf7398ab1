import './lists.css';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ListResult } from '../query/list';
import { Button } from './button';
import { Spinner } from './spinner';
import { useTexts } from './texts';

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
