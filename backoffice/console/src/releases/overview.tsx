import type { OpsRelease, OpsState } from '@shop/backoffice/wire';
import { TimedLine } from '../kit/parts';
import { RunButton } from './actions-provider';
import { sortedByUrgency, stateOf } from './release-health';
import { rollBack } from './releases.api';
import { useTexts } from './texts';

/** The top of the page, which fits a phone's screen: faults, the last change, and one button. */
export function Overview({ state }: { state: OpsState }) {
  const { t } = useTexts();
  return (
    <section className="card overview" aria-label={t('overview.region')}>
      <CurrentFaults state={state} />
      <LastChange state={state} />
      <RollbackButton state={state} />
    </section>
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
