import type { StaffListedLevel } from '@shop/backoffice/wire';
import { currencies } from '@shop/shared/domain/lists';
import { formatMoney } from '@shop/shared/money';
import { Button, Tag } from '@shop/shared/ui';
import { useState } from 'react';
import { useApi } from '../api';
import { newKey } from '../edits/new-key';

import { go } from '../location';
import { Item, List } from '../parts';
import { LevelForm } from './level-form';
import { useTexts } from './texts';

/** `#/levels`, `#/levels/edit/<key>`, `#/levels/new`. */
export function LevelsPage({ place: [what, key] }: { place: string[] }) {
  const { t } = useTexts();
  const [fresh] = useState(() => newKey('level'));
  const query = useApi('GET levels', {});
  if (what === 'new') return <LevelForm key={fresh} levelKey={fresh} isNew />;
  if (what === 'edit' && key) return <LevelForm key={key} levelKey={key} />;
  return (
    <>
      <div className="row">
        <h1 className="grow">{t('title')}</h1>
        <Button icon="plus" onClick={() => go('levels/new')}>
          {t('add')}
        </Button>
      </div>
      <List query={query} empty={t('empty')}>
        {(level) => <LevelItem key={level.key} level={level} />}
      </List>
    </>
  );
}

function LevelItem({ level: { key, value, given } }: { level: StaffListedLevel }) {
  const { t, language } = useTexts();
  const amounts = currencies.flatMap((currency) => {
    const amount = value.thresholds[currency];
    return amount ? [formatMoney(amount, currency)] : [];
  });
  const terms = [
    t('pays', { percent: value.percent }),
    ...(value.prices.length > 0 ? [t('fixed', { count: value.prices.length })] : []),
    value.period_days === null
      ? t('byStaff')
      : t('reachedAt', { days: value.period_days, amounts: amounts.join(t('or')) }),
  ];
  return (
    <Item
      href={`#/levels/edit/${key}`}
      title={value.name[language]}
      tags={<Tag tone={value.active ? 'success' : 'neutral'}>{t(value.active ? 'on' : 'off')}</Tag>}
      note={terms.join(' · ')}
      end={t('given', { count: given })}
    />
  );
}
