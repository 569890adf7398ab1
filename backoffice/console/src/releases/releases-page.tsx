import type { OpsState } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { useQuery } from '@shop/shared/query';
import { Loaded, Section } from '../kit/parts';
import { ActionsProvider } from './actions-provider';
import { Overview } from './overview';
import { ReleaseCard } from './release-card';
import { sortedByUrgency } from './release-health';
import { ReleaseHistory, WatcherEvents } from './release-history';
import { releasesKey, releasesState } from './releases.api';
import { useTexts } from './texts';

const POLL_MS = 2_000;

export function ReleasesPage() {
  const query = useQuery({
    queryKey: releasesKey,
    queryFn: releasesState,
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: true,
  });
  return (
    <ActionsProvider>
      <Loaded query={query} lines={8}>
        {(state) => <Releases state={state} />}
      </Loaded>
    </ActionsProvider>
  );
}

function Releases({ state }: { state: OpsState }) {
  const { t } = useTexts();
  const { channel, rev, bound, events } = state;
  return (
    <>
      <div className="line">
        <h1>{t('nav.releases')}</h1>
        <p className="hint">{t('revision', { channel, rev })}</p>
      </div>
      <Overview state={state} />
      {state.failingWebhooks.map(({ place, messages, since, error }) => (
        <p key={place} className="card fault" role="alert">
          {t('webhook', { place, count: messages, since: formatDate(since), error })}
        </p>
      ))}
      <Section title={t('live')}>
        <div className="pair releases">
          {sortedByUrgency(state.releases, bound).map((release) => (
            <ReleaseCard key={release.name} release={release} bound={bound} shop={state.shop} />
          ))}
        </div>
      </Section>
      {events && (
        <Section title={t('watcher')}>
          <WatcherEvents events={events} />
        </Section>
      )}
      <Section title={t('history')}>
        <ReleaseHistory history={state.history} rev={rev} mayRestore={state.mayRestore} />
      </Section>
    </>
  );
}
