import type { OpsState } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { Button } from '@shop/shared/ui';
import { useRun } from './actions-provider';
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
  const run = useRun();
  const { action, by, at, why, from, to } = change;
  const name = change.name === '*' ? t('everything') : change.name;
  const restore = () => run({ call: { action: 'restore', rev: change.rev }, undo: { action: 'restore', rev } });
  return (
    <li className="card dense" aria-label={`${change.rev}`}>
      <p className="line">
        <strong>{t(`change.${action}`, { name })}</strong>
        <span className="hint">{formatDate(at)}</span>
      </p>
      {(from || to) && <code className="hint">{[from ?? '–', to ?? '–'].join(' → ')}</code>}
      <div className="line">
        <p className="hint">{[`${change.rev}`, by, ...(why ? [why] : [])].join(' · ')}</p>
        {change.rev === rev ? (
          <span className="hint">{t('asItIs')}</span>
        ) : (
          mayRestore && (
            <Button kind="ghost" size="s" aria-label={t('backTo', { rev: change.rev })} onClick={restore}>
              {t('back')}
            </Button>
          )
        )}
      </div>
    </li>
  );
}
