import type { OpsState } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { useQuery } from '@shop/shared/query';
import { Loaded, Section, TimedLine } from '../kit/parts';
import { ActionsProvider, RunButton } from './actions-provider';
import { Overview } from './overview';
import { ReleaseCard } from './release-card';
import { sortedByUrgency } from './release-health';
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
      <Loaded query={query}>{(state) => <Releases state={state} />}</Loaded>
    </ActionsProvider>
  );
}

function Releases({ state }: { state: OpsState }) {
  const { t } = useTexts();
  const { rev, bound, events } = state;
  return (
    <>
      <div className="line">
        <h1>{t('nav.releases')}</h1>
        <p className="hint">{t('revision', { rev })}</p>
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

const NEWEST = 5;

function ReleaseHistory({ history, ...state }: Pick<OpsState, 'history' | 'rev' | 'mayRestore'>) {
  const { t } = useTexts();
  const rows = history.map((row) => <Change key={row.rev} change={row} {...state} />);
  const earlier = rows.length - NEWEST;
  return (
    <>
      <ul className="list">{rows.slice(0, NEWEST)}</ul>
      {earlier > 0 && (
        <details>
          <summary>{t('earlier', { count: earlier })}</summary>
          <ul className="list">{rows.slice(NEWEST)}</ul>
        </details>
      )}
    </>
  );
}

interface ChangeProps extends Pick<OpsState, 'rev' | 'mayRestore'> {
  change: OpsState['history'][number];
}

function Change({ change, rev, mayRestore }: ChangeProps) {
  const { t } = useTexts();
  const { action, by, at, why, from, to } = change;
  const name = change.name === '*' ? t('everything') : change.name;
  return (
    <li className="card dense" aria-label={`${change.rev}`}>
      <TimedLine at={at}>{t(`change.${action}`, { name })}</TimedLine>
      {(from || to) && <code className="hint">{[from ?? '–', to ?? '–'].join(' → ')}</code>}
      <div className="line">
        <p className="hint">{[`${change.rev}`, by, ...(why ? [why] : [])].join(' · ')}</p>
        {change.rev === rev ? (
          <span className="hint">{t('asItIs')}</span>
        ) : (
          mayRestore && (
            <RunButton
              kind="ghost"
              size="s"
              aria-label={t('backTo', { rev: change.rev })}
              call={{ action: 'restore', rev: change.rev }}
            >
              {t('back')}
            </RunButton>
          )
        )}
      </div>
    </li>
  );
}

function WatcherEvents({ events }: { events: NonNullable<OpsState['events']> }) {
  const { t } = useTexts();
  if (events.length === 0) return <p className="hint">{t('nothingYet')}</p>;
  return (
    <ul className="list">
      {events.map(({ id, at, kind, name, version, why }) => (
        <li key={id} className="card dense">
          <TimedLine at={at}>{t(`event.${kind}`, { name: name === '*' ? t('everything') : name })}</TimedLine>
          <code className="hint">{version}</code>
          <p>{why}</p>
        </li>
      ))}
    </ul>
  );
}
