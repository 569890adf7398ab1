import './safe-html.css';
import { useEffect, useState } from 'react';
import { useHydrating } from '../routing';
import { classNames } from './class-names';
import { ErrorState } from './empty';
import { Skeleton } from './loading';
import type { Sanitize } from './sanitize';

export interface SafeHtmlProps {
  /** Untrusted HTML; scripts, handlers, frames, forms and inline styles are removed. */
  html: string;
  className?: string;
}

let loaded: Sanitize | undefined;
let loading: Promise<Sanitize> | undefined;

/** Preloads the sanitiser, a separate chunk (10 kB brotli) that few pages need. */
export function preloadSafeHtml(): Promise<Sanitize> {
  loading ??= import('./sanitize').then(
    (module) => {
      loaded = module.sanitize;
      return loaded;
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

export function SafeHtml({ html, className }: SafeHtmlProps) {
  const [sanitize, setSanitize] = useState<Sanitize | undefined>(() => loaded);
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const hydrating = useHydrating();
  const [rendered] = useState(hydrating ? html : undefined);
  const isRendered = html === rendered;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` changes with "try again"
  useEffect(() => {
    if (isRendered) return;
    let gone = false;
    setError(undefined);
    preloadSafeHtml().then(
      (ready) => gone || setSanitize(() => ready),
      (reason) => gone || setError(reason),
    );
    return () => {
      gone = true;
    };
  }, [attempt, isRendered]);
  const classes = classNames('ui-html', className);
  // React leaves the element's content alone.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set
  if (isRendered) return <div className={classes} dangerouslySetInnerHTML={{ __html: '' }} suppressHydrationWarning />;
  if (error) return <ErrorState error={error} onRetry={() => setAttempt(attempt + 1)} />;
  // As tall as the window, so that the content below is not visible and then moved.
  if (!sanitize) {
    return (
      <div aria-busy="true">
        <Skeleton lines={Math.min(40, 2 + Math.floor(html.length / 24))} />
      </div>
    );
  }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: this component is the one place for it; the value is a TrustedHTML
  return <div className={classes} dangerouslySetInnerHTML={{ __html: sanitize(html) }} />;
}
