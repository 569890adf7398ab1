import './lists.css';
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button';
import { Icon } from './icon';
import { Spinner } from './spinner';
import { useTexts } from './texts';

/** Pull distances in px: where releasing refreshes, and where the pull ends. */
const threshold = 64;
const limit = 96;

export interface PullToRefreshProps {
  onRefresh: () => unknown | Promise<unknown>;
  /** Off where the page has no place in which the button is seen, and a reload does the same. */
  withButton?: boolean;
  children: ReactNode;
}

/** Pulling the top of the page down refreshes; a button does the same for mouse, keyboard and screen reader. */
export function PullToRefresh({ onRefresh, withButton = true, children }: PullToRefreshProps) {
  const { t } = useTexts();
  const root = useRef<HTMLDivElement>(null);
  const [pull, setPull] = useState(0);
  const [phase, setPhase] = useState<'idle' | 'busy' | 'done'>('idle');
  const run = useRef<() => Promise<void>>(undefined);

  run.current = async () => {
    if (phase === 'busy') return;
    setPhase('busy');
    try {
      await onRefresh();
      setPhase('done');
    } catch {
      // The list itself shows the error.
      setPhase('idle');
    }
  };

  useEffect(() => {
    const element = root.current;
    if (!element) return;
    let startY: number | null = null;
    let distance = 0;
    const start = (event: TouchEvent) => {
      const touch = event.touches.length === 1 && window.scrollY <= 0 ? event.touches[0] : undefined;
      startY = touch ? touch.clientY : null;
      distance = 0;
    };
    const move = (event: TouchEvent) => {
      const touch = event.touches[0];
      if (startY === null || !touch) return;
      const by = touch.clientY - startY;
      if (by <= 0 && distance === 0) {
        if (by < -8) startY = null;
        return;
      }
      if (event.cancelable) event.preventDefault();
      distance = Math.max(0, Math.min(limit, by * 0.5));
      setPull(distance);
    };
    const end = () => {
      if (startY !== null && distance >= threshold) void run.current?.();
      startY = null;
      distance = 0;
      setPull(0);
    };
    element.addEventListener('touchstart', start, { passive: true });
    // Not passive: prevents the browser's own pull-to-refresh.
    element.addEventListener('touchmove', move, { passive: false });
    element.addEventListener('touchend', end);
    element.addEventListener('touchcancel', end);
    return () => {
      element.removeEventListener('touchstart', start);
      element.removeEventListener('touchmove', move);
      element.removeEventListener('touchend', end);
      element.removeEventListener('touchcancel', end);
    };
  }, []);

  const busy = phase === 'busy';
  const offset = pull > 0 ? pull : busy ? 48 : 0;
  return (
    <div ref={root} className="ui-pull">
      <div className="ui-pull__indicator" style={{ opacity: Math.min(1, offset / 48) }} aria-hidden="true">
        {busy ? <Spinner size={18} /> : <Icon name="refresh" size={18} />}
        {offset > 0 && t(busy ? 'refreshing' : pull >= threshold ? 'releaseToRefresh' : 'pullToRefresh')}
      </div>
      <span className="ui-visually-hidden" role="status">
        {busy ? t('refreshing') : phase === 'done' ? t('refreshed') : ''}
      </span>
      <div
        className={pull > 0 ? 'ui-pull__content is-pulled' : 'ui-pull__content'}
        style={offset > 0 ? { transform: `translateY(${offset}px)` } : undefined}
      >
        {withButton && (
          <div className="ui-pull__button">
            <Button kind="ghost" size="s" icon="refresh" disabled={busy} onClick={() => void run.current?.()}>
              {t('refresh')}
            </Button>
          </div>
        )}
        {children}
      </div>
    </div>
  );
}

export interface LoadMoreProps {
  hasMore: boolean;
  loading: boolean;
  error?: unknown;
  onMore: () => void;
}

/** The end of an infinite list: loads when it comes near the viewport; a button loads and retries too. */
export function LoadMore({ hasMore, loading, error, onMore }: LoadMoreProps) {
  const { t } = useTexts();
  const foot = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    more.current = onMore;
  });
  const waiting = hasMore && !loading && !error;
  useEffect(() => {
    if (!waiting || !foot.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && more.current(),
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
