import { isLostChunk, reloadIfOutdated } from '@platform/host/clean-load';
import { claimVisit, report, type Visit, visitOf } from '@platform/host/health';
import { natives } from '@platform/host/natives';
import type { ContractRoute } from '@platform/host/releases.store';
import { type LoadedPage, SupersededError } from '@platform/host/remote-loader';
import { observer } from '@shop/shared/state';
import { Button, Empty, RemoteName, Skeleton, VisuallyHidden } from '@shop/shared/ui';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Boundary } from '../layout/boundary';
import { bringsOwnHeading, titleOf } from '../layout/route-title';
import { useShell } from '../shell-context';
import { useTexts } from '../texts';
import './remote-page.css';

/** Shown while a page's code loads; the page's own skeleton follows with the same layout. */
function PageSkeleton(): ReactNode {
  const { t } = useTexts();
  return (
    <div className="shell-page-skeleton" role="status" aria-busy="true" aria-label={t('loadingPage')}>
      <Skeleton shape="card" height={160} />
      <Skeleton shape="text" lines={3} />
      <Skeleton shape="card" height={120} />
      <Skeleton shape="card" height={120} />
    </div>
  );
}

/** "Try again" waits this long for the release map. */
const checkTimeoutMs = 1_000;

type State =
  | { status: 'loading' }
  | { status: 'ready'; page: LoadedPage }
  /** `thrown`: the page that threw while rendering; its own ErrorBoundary may show the error. */
  | { status: 'failed'; error: unknown; thrown?: LoadedPage };

/** A page of a remote, in the element to which its styles apply (docs/adr/0003-isolation-and-recovery.md). */
export function RemotePage({ route }: { route: ContractRoute }): ReactNode {
  return (
    <div data-remote={route.remote}>
      <RemoteName value={route.remote}>
        <PageOfRemote route={route} />
      </RemoteName>
    </div>
  );
}

/**
 * A page that does not load, or throws while rendering, is replaced by the same page of the fallback release, else by an error
 * card. Tab bar, drawer and other pages are not affected.
 */
const PageOfRemote = observer(function PageOfRemote({ route }: { route: ContractRoute }) {
  const { releases, loader } = useShell();
  const { language } = useTexts();
  const { remote, page: name } = route;
  const release = releases.current(remote);
  const [state, setState] = useState<State>(() => {
    const loaded = release ? loader.peek(release, name) : undefined;
    return loaded ? { status: 'ready', page: loaded } : { status: 'loading' };
  });
  const [attempt, setAttempt] = useState(0);
  // A visit belongs to the requested release even if the fallback serves it: its failure rate is a share of its visits.
  const visit = useRef<Visit | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: Each attempt loads again.
  useEffect(() => {
    if (!release) return;
    let current = true;
    visit.current = claimVisit(remote, release.version, name);
    loader.load(release, name).then(
      (page) => {
        if (!current) return;
        loader.show(page.release, release);
        setState({ status: 'ready', page });
      },
      (error) => {
        // Another release went live: load that one.
        if (error instanceof SupersededError) releases.applyReleaseMap(remote);
        else if (current) setState({ status: 'failed', error });
      },
    );
    return () => {
      current = false;
    };
  }, [release, releases, loader, remote, name, attempt]);

  const { status } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each release and attempt is a visit of its own.
  useEffect(() => {
    if (status === 'ready' && visit.current) report(visit.current, 'visit');
  }, [status, release, attempt]);

  const onThrown = (page: LoadedPage, error: unknown) => {
    const isRequested = page.release.version === release?.version;
    const failing = (isRequested && visit.current) || visitOf(remote, page.release.version, name);
    const failed = () => {
      report(failing, 'render');
      setState({ status: 'failed', error, thrown: page });
    };
    if (page.release !== release) return failed();
    setState({ status: 'loading' });
    const fallBack = () =>
      loader.loadFallback(release, name).then((fallback) => {
        report(failing, 'render');
        loader.show(fallback.release, release);
        setState({ status: 'ready', page: fallback });
      }, failed);
    if (!isLostChunk(error)) return void fallBack();
    void reloadIfOutdated(releases).then((isReloading) => (isReloading ? undefined : fallBack()));
  };

  const retry = useCallback(() => {
    setState({ status: 'loading' });
    // A rollback may have gone live since.
    const checked = Promise.race([
      releases.check(),
      new Promise((resolve) => natives.setTimeout(() => resolve(null), checkTimeoutMs)),
    ]);
    void checked.then(() => {
      releases.applyReleaseMap(remote);
      setAttempt((number) => number + 1);
    });
  }, [releases, remote]);

  useEffect(() => {
    if (status === 'failed') return natives.listen(window, 'online', retry);
  }, [status, retry]);

  const Page = state.status === 'ready' ? state.page.module.Component : null;
  // A constant element: an observer renders again each time that a kept-alive page is shown, but its page need not.
  const content = useMemo(() => Page && <Page />, [Page]);

  // A page that has not loaded has no heading of its own yet.
  if (!release || state.status !== 'ready') {
    const Own = state.status === 'failed' && state.thrown?.module.ErrorBoundary;
    if (Own) return <Own error={state.error} retry={retry} />;
    return (
      <>
        {bringsOwnHeading(route.flags) && <VisuallyHidden as="h1">{titleOf(route, language)}</VisuallyHidden>}
        {release && state.status === 'loading' ? <PageSkeleton /> : <PageFailure onRetry={retry} />}
      </>
    );
  }
  const { page } = state;
  return (
    <Boundary key={`${page.release.version} ${attempt}`} onError={(error) => onThrown(page, error)}>
      {content}
    </Boundary>
  );
});

function PageFailure({ onRetry }: { onRetry: () => void }): ReactNode {
  const { t } = useTexts();
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
