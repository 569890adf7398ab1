import type { OpsState } from '@shop/backoffice/wire';
import { TimedLine } from '../kit/parts';
import { RunButton } from './actions-provider';
import { useTexts } from './texts';

const NEWEST = 5;

export function ReleaseHistory({ history, ...state }: Pick<OpsState, 'history' | 'rev' | 'mayRestore'>) {
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

export function WatcherEvents({ events }: { events: NonNullable<OpsState['events']> }) {
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
