import './safe-html.css';
import { useEffect, useState } from 'react';
import { classNames } from './class-names';
import { ErrorState } from './empty';
import type { Sanitize } from './sanitize';
import { Skeleton } from './skeleton';

export interface SafeHtmlProps {
  /** HTML from outside; scripts, handlers, frames, forms and inline styles are taken out. */
  html: string;
  className?: string;
}

let loaded: Sanitize | undefined;
let loading: Promise<Sanitize> | undefined;

/** The sanitiser is a chunk of its own (10 kB brotli), since few pages show foreign HTML; call this to have it early. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is the press on "try again"
  useEffect(() => {
    let gone = false;
    setError(undefined);
    preloadSafeHtml().then(
      (ready) => gone || setSanitize(() => ready),
      (reason) => gone || setError(reason),
    );
    return () => {
      gone = true;
    };
  }, [attempt]);
  if (error) return <ErrorState error={error} onRetry={() => setAttempt(attempt + 1)} />;
  // As tall as a window where the text is long: what follows must not stand in sight and then be pushed out of it.
  if (!sanitize) return <Skeleton lines={Math.min(40, 2 + Math.floor(html.length / 24))} />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: this component is the one place for it; the value is a TrustedHTML
  return <div className={classNames('ui-html', className)} dangerouslySetInnerHTML={{ __html: sanitize(html) }} />;
}
