import { useTranslation } from '@shop/shared/i18n';
import { observer } from '@shop/shared/state';
import { Button, Empty } from '@shop/shared/ui';
import { Component, type ErrorInfo, type ReactNode, useCallback, useEffect, useState } from 'react';
import { useShell } from '../app/shell-context';
import { report, reportPageError } from '../releases/health';
import type { ContractRoute } from '../releases/releases.store';
import type { LoadedPage } from '../releases/remote-loader';
import { PageSkeleton } from './page-skeleton';

type State = { status: 'loading' } | { status: 'ready'; page: LoadedPage } | { status: 'failed'; error: unknown };

/** One page of a remote. Whatever fails here stays here: tab bar, drawer and other areas live on. */
export const RemotePage = observer(function RemotePage({ route }: { route: ContractRoute }) {
  const { releases, loader } = useShell();
  const release = releases.current(route.remote);
  const [state, setState] = useState<State>(() => {
    const there = release ? loader.peek(release, route.page) : undefined;
    return there ? { status: 'ready', page: there } : { status: 'loading' };
  });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (!release) return;
    let current = true;
    loader.load(release, route.page).then(
      (page) => current && setState({ status: 'ready', page }),
      (error) => current && setState({ status: 'failed', error }),
    );
    return () => {
      current = false;
    };
  }, [release, loader, route.page, attempt]);

  const served = state.status === 'ready' ? state.page.release.version : '';
  useEffect(() => {
    if (served) report({ name: route.remote, version: served, kind: 'visit', page: route.page });
  }, [served, route.remote, route.page]);

  const retry = useCallback(() => {
    setState({ status: 'loading' });
    setAttempt((number) => number + 1);
  }, []);

  if (!release) return <PageFailure onRetry={retry} />;
  if (state.status === 'loading') return <PageSkeleton route={route} />;
  if (state.status === 'failed') return <PageFailure onRetry={retry} />;
  const { module } = state.page;
  return (
    <PageBoundary
      key={`${served} ${attempt}`}
      onError={(error) => reportPageError({ name: route.remote, version: served, page: route.page, error })}
      fallback={(error) =>
        module.ErrorBoundary ? <module.ErrorBoundary error={error} retry={retry} /> : <PageFailure onRetry={retry} />
      }
    >
      <module.Component />
    </PageBoundary>
  );
});

export function PageFailure({ onRetry }: { onRetry: () => void }): ReactNode {
  const { t } = useTranslation('shell');
  return (
    <div role="alert" className="shell-page-failure">
      <Empty
        art="offline"
        title={t('pageError.title')}
        description={t('pageError.text')}
        action={<Button onClick={onRetry}>{t('pageError.retry')}</Button>}
      />
    </div>
  );
}

interface BoundaryProps {
  children: ReactNode;
  fallback: (error: unknown) => ReactNode;
  onError: (error: unknown, info: ErrorInfo) => void;
}

class PageBoundary extends Component<BoundaryProps, { error: unknown; failed: boolean }> {
  override state = { error: null as unknown, failed: false };

  static getDerivedStateFromError(error: unknown): { error: unknown; failed: boolean } {
    return { error, failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    this.props.onError(error, info);
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback(this.state.error) : this.props.children;
  }
}
