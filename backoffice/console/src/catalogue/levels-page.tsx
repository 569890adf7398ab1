import type { StaffListedLevel } from '@shop/backoffice/wire';
import { currencies } from '@shop/shared/domain/lists';
import { formatMoney } from '@shop/shared/money';
import { Tag } from '@shop/shared/ui';
import { useApi } from '../api';
import { newKey } from '../edits/new-key';
import { type Column, ListHead, ListTable, RowLink } from '../kit/list-table';
import { LevelForm } from './level-form';
import { useTexts } from './levels-texts';

/** `#/levels`, `#/levels/edit/<key>`, `#/levels/new/<key>`. */
export function LevelsPage({ place: [what, key] }: { place: string[] }) {
  const { t } = useTexts();
  const query = useApi('GET levels', {});
  const columns = useColumns();
  if (what === 'new' && key) return <LevelForm key={key} levelKey={key} isNew />;
  if (what === 'edit' && key) return <LevelForm key={key} levelKey={key} />;
  return (
    <>
      <ListHead title={t('title')} add={t('add')} to={() => `levels/new/${newKey('level')}`} />
      <ListTable label={t('title')} query={query} empty={t('empty')} columns={columns} keyOf={({ key }) => key} />
    </>
  );
}

function useColumns(): Column<StaffListedLevel>[] {
  const { t, language } = useTexts();
  const reached = ({ thresholds, period_days }: StaffListedLevel['value']) => {
    if (period_days === null) return t('byStaff');
    const amounts = currencies.flatMap((currency) => {
      const amount = thresholds[currency];
      return amount ? [formatMoney(amount, currency)] : [];
    });
    return t('reachedAt', { days: period_days, amounts: amounts.join(t('or')) });
  };
  return [
    {
      head: t('name'),
      cell: ({ key, value }) => <RowLink href={`#/levels/edit/${key}`}>{value.name[language]}</RowLink>,
    },
    {
      head: t('terms'),
      cell: ({ value: { percent, prices } }) =>
        [t('pays', { percent }), ...(prices.length > 0 ? [t('fixed', { count: prices.length })] : [])].join(' · '),
      kind: 'sign',
    },
    { head: t('reached'), cell: ({ value }) => reached(value), kind: 'sign' },
    { head: t('assigned'), cell: ({ given }) => given, kind: 'number' },
    {
      head: t('state'),
      cell: ({ value: { active } }) => <Tag tone={active ? 'success' : 'neutral'}>{t(active ? 'on' : 'off')}</Tag>,
      kind: 'sign',
    },
  ];
}
