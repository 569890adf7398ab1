import type { OpsRelease, OpsState } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { useQuery } from '@shop/shared/query';
import { Loaded, Section, TimedLine } from '../kit/parts';
import { ActionsProvider, RunButton } from './actions-provider';
import { ReleaseCard, sortedByUrgency, stateOf } from './release-card';
import { releasesKey, releasesState, rollBack } from './releases.api';
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
      {/* The top of the page, which fits a phone's screen: faults, the last change, and one button. */}
      <section className="card overview" aria-label={t('overview.region')}>
        <CurrentFaults state={state} />
        <LastChange state={state} />
        <RollbackButton state={state} />
      </section>
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

function LastChange({ state: { history } }: { state: OpsState }) {
  const { t } = useTexts();
  const [change] = history;
  if (!change) return null;
  const name = change.name === '*' ? t('everything') : change.name;
  return (
    <div>
      <h2 className="hint">{t('overview.changed')}</h2>
      <TimedLine at={change.at}>{t(`change.${change.action}`, { name })}</TimedLine>
      <p className="hint">{[change.by, ...(change.why ? [change.why] : [])].join(' · ')}</p>
    </div>
  );
}

const failing = ({ releases, bound }: OpsState): OpsRelease[] =>
  sortedByUrgency(releases, bound).filter((release) => stateOf(release, bound).tone === 'danger');

function CurrentFaults({ state }: { state: OpsState }) {
  const { t } = useTexts();
  const { events, bound } = state;
  const faults = failing(state).map((release) => ({
    key: release.name,
    text: t('overview.fault', { name: release.name, fault: stateOf(release, bound).fault ?? '' }),
    // The errors are sorted by visits, most first.
    error: (release.canary ? release.healthCanary : release.health)?.errors[0],
  }));
  return (
    <div>
      <h2 className="hint">{t('overview.wrong')}</h2>
      {faults.length === 0 ? (
        <p className={events ? 'ui-success' : 'fault'}>{t(events ? 'overview.nothing' : 'health.unknown')}</p>
      ) : (
        <ul>
          {faults.map(({ key, text, error }) => (
            <li key={key} className="fault">
              {text}
              {error && (
                <p className="hint">
                  {t('overview.example', {
                    error: t('health.error', { kind: t(`failure.${error.kind}`), count: error.visits }),
                  })}{' '}
                  <code title={error.at}>{error.source ?? error.at}</code>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Rolls back the failing release, or if none fails, the last change. */
function RollbackButton({ state }: { state: OpsState }) {
  const { t } = useTexts();
  const { history, releases, mayRestore } = state;
  const [last, before] = history;
  const isPromotion = last?.action === 'promote' || last?.action === 'canary';
  const canRollBack = ({ may, canary, target }: OpsRelease) => may.includes('rollback') && (canary || target);
  const wrong = failing(state).find(canRollBack);
  const release =
    wrong ??
    (isPromotion ? releases.find((candidate) => candidate.name === last.name && canRollBack(candidate)) : undefined);
  if (release) {
    const { name, canary, target } = release;
    return (
      <RunButton kind={wrong ? 'danger' : 'secondary'} call={rollBack(release)}>
        {canary ? t('overview.abandon', { name }) : t('overview.rollBack', { name, version: target ?? '' })}
      </RunButton>
    );
  }
  if (!isPromotion || last.name !== '*' || !before || !mayRestore) return null;
  return <RunButton call={{ action: 'restore', rev: before.rev }}>{t('backTo', { rev: before.rev })}</RunButton>;
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
