import type { StaffHoldFigures } from '@shop/backoffice/wire';
import { useApi } from '../api';
import { Loaded, Table } from '../parts';
import { mayUse, useMe } from '../session';
import { SettingsForm } from './settings-form';
import { useTexts } from './texts';

/** `#/holds`, `#/holds/settings`. */
export function HoldsPage({ place: [what] }: { place: string[] }) {
  const { t } = useTexts();
  const isManager = mayUse(useMe());
  const query = useApi('GET holds/figures', {});
  if (what === 'settings' && isManager) return <SettingsForm />;
  return (
    <>
      <div className="row">
        <h1 className="grow">{t('title')}</h1>
        {isManager && <a href="#/holds/settings">{t('settings')}</a>}
      </div>
      <p className="hint">{t('hint')}</p>
      <Loaded query={query} lines={4}>
        {(figures) => <Figures figures={figures} />}
      </Loaded>
    </>
  );
}

function Figures({ figures: { total, rules } }: { figures: StaffHoldFigures }) {
  const { t } = useTexts();
  const rowOf = (name: string, counts: StaffHoldFigures['total']) => [
    name,
    ...[counts.held, counts.released, counts.refunded, counts.by_time, counts.missed].map(String),
    counts.right_percent === null ? '' : `${counts.right_percent}%`,
    counts.median_seconds === null ? '' : t('minutes', { count: Math.round(counts.median_seconds / 60) }),
  ];
  return (
    <>
      <Table
        title={t('figures')}
        head={[
          ...[t('rule'), t('held'), t('released'), t('refunded'), t('byTime'), t('missed'), t('right'), t('median')],
        ]}
        rows={[rowOf(t('total'), total), ...rules.map(({ rule, ...counts }) => rowOf(t(`rules.${rule}`), counts))]}
      />
      <p className="hint">{t('rightHint')}</p>
    </>
  );
}
