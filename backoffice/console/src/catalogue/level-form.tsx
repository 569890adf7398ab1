import type { StaffLevel } from '@shop/backoffice/wire';
import { api } from '../api';
import { EditPage } from '../edits/editor';
import { GoodsChoice } from '../edits/goods-choice';
import { levelPriceRules, levelRules } from '../generated/levels.rules';
import { type FieldSpec, Fields, labelOf } from '../kit/fields';
import { ListFields } from '../kit/list-fields';
import { none, Part } from '../kit/part';
import { useAction } from '../kit/parts';
import { type Key, t as text, useTexts } from './levels-texts';

const freshLevel: StaffLevel = {
  name: none,
  active: true,
  rank: 1,
  percent: 95,
  thresholds: {},
  period_days: null,
  prices: [],
};

type LevelField = FieldSpec<StaffLevel, Key>;
type LevelPrice = StaffLevel['prices'][number];
const inCNY = { currency: 'CNY' };
const inUSD = { currency: 'USD' };
const basics: LevelField[] = [
  { kind: 'texts', name: 'name', label: 'name', ...levelRules.name },
  { kind: 'number', name: 'rank', label: 'rank', hint: 'rankHint', ...levelRules.rank },
  { kind: 'number', name: 'percent', label: 'percent', hint: 'percentHint', ...levelRules.percent },
  { kind: 'check', name: 'active', label: 'active' },
];
const reached: LevelField[] = [
  { kind: 'price', name: 'thresholds.CNY', label: 'threshold', values: inCNY, ...levelRules['thresholds.CNY'] },
  { kind: 'price', name: 'thresholds.USD', label: 'threshold', values: inUSD, ...levelRules['thresholds.CNY'] },
  { kind: 'number', name: 'period_days', label: 'period', ...levelRules.period_days },
];
const price: FieldSpec<LevelPrice, Key>[] = [
  { kind: 'price', name: 'prices.CNY', label: 'price', values: inCNY, ...levelPriceRules['prices.CNY'] },
  { kind: 'price', name: 'prices.USD', label: 'price', values: inUSD, ...levelPriceRules['prices.CNY'] },
];
const all = [
  ...basics,
  ...reached,
  { name: 'thresholds', label: 'thresholds' as const },
  { name: 'prices', label: 'prices' as const, item: 'spec' as const, fields: price },
];

export function LevelForm({ levelKey, isNew }: { levelKey: string; isNew?: boolean }) {
  const { t } = useTexts();
  const { run } = useAction();
  return (
    <EditPage
      path="levels"
      itemKey={levelKey}
      fresh={isNew ? freshLevel : undefined}
      label={(path) => labelOf(all, text, path)}
      all={t('all')}
      title={isNew ? t('add') : undefined}
    >
      {(draft, setAt) => (
        <>
          <Part title={t('basics')}>
            <Fields of={basics} t={t} />
          </Part>
          <Part title={t('reached')}>
            <p className="hint">{t('thresholdHint')}</p>
            <Fields of={reached} t={t} className="pair tight" />
          </Part>
          <Part title={t('prices')}>
            <p className="hint">{t('pricesHint')}</p>
            <ListFields name="prices" rows={draft.prices} title={({ goods, spec }) => `${goods} · ${spec}`}>
              {(_row, at) => <Fields of={price} t={t} at={at} className="pair tight" />}
            </ListFields>
            <GoodsChoice
              label={t('addGoods')}
              onChoose={(goods) =>
                void run(async () => setAt('prices', withValues(draft.prices, await valuesOf(goods))))
              }
            />
          </Part>
        </>
      )}
    </EditPage>
  );
}

async function valuesOf(goods: string): Promise<LevelPrice[]> {
  const { value } = await api('GET goods/:key', { key: goods });
  return value.specs.map(({ key }) => ({ goods, spec: key, prices: {} }));
}

const withValues = (rows: readonly LevelPrice[], more: LevelPrice[]): LevelPrice[] => [
  ...rows,
  ...more.filter(({ goods, spec }) => !rows.some((row) => row.goods === goods && row.spec === spec)),
];
