import { useQuery } from '@shop/shared/query';
import { ErrorState, Notice } from '@shop/shared/ui';
import { Loading, Section } from '../parts';
import { ActsProvider } from './acts-provider';
import { Overview } from './overview';
import { ReleaseCard } from './release-card';
import { inOrderOfNeed } from './release-health';
import { ReleaseHistory } from './release-history';
import { releasesKey, releasesState } from './releases.api';
import { useTexts } from './texts';
import { FailingWebhooks, WatcherEvents } from './watcher-events';

const POLL_MS = 2_000;

/** What is wrong, what was changed last and the button; then what is live, failing ones first; rollback and promote, the watcher, the history. */
export function ReleasesPage() {
  const { t } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: releasesKey,
    queryFn: releasesState,
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: true,
  });
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading lines={8} />;
  const { channel, rev, bound, events } = data;
  return (
    <ActsProvider>
      <div className="line">
        <h1>{t('title')}</h1>
        <p className="hint">{t('revision', { channel, rev })}</p>
      </div>
      <div role="alert">{error && <Notice tone="danger">{t('lost')}</Notice>}</div>
      <Overview state={data} />
      <FailingWebhooks failing={data.failingWebhooks} />
      <Section title={t('live')}>
        <div className="releases">
          {inOrderOfNeed(data.releases, bound).map((release) => (
            <ReleaseCard key={release.name} release={release} bound={bound} shop={data.shop} />
          ))}
        </div>
      </Section>
      {events && (
        <Section title={t('watcher')}>
          <WatcherEvents events={events} />
        </Section>
      )}
      <Section title={t('history')}>
        <ReleaseHistory history={data.history} rev={rev} mayRestore={data.mayRestore} />
      </Section>
    </ActsProvider>
  );
}
