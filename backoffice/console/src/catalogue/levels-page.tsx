import type { StaffLevel, StaffListedLevel } from '@shop/backoffice/wire';
import { currencies } from '@shop/shared/domain/lists';
import { formatMoney } from '@shop/shared/money';
import { Tag } from '@shop/shared/ui';
import { api, useApi } from '../api';
import { EditPage, type EditPart, none } from '../edits/editor';
import { GoodsChoice } from '../edits/goods-choice';
import { newKey } from '../edits/new-key';
import { levelPriceRules, levelRules } from '../generated/levels.rules';
import { type FieldSpec, Fields } from '../kit/fields';
import { ListFields } from '../kit/list-fields';
import { type Column, ListPage, RowLink } from '../kit/list-table';
import { useAction } from '../kit/parts';
import { type Key, useTexts } from './levels-texts';

/** `#/levels`, `#/levels/edit/<key>`, `#/levels/new/<key>`. */
export function LevelsPage({ place: [what, key] }: { place: string[] }) {
  const { t } = useTexts();
  const query = useApi('GET levels', {});
  const columns = useColumns();
  const form = { path: 'levels', itemKey: key ?? '', parts, names, t, all: t('all') } as const;
  if (what === 'new' && key) return <EditPage key={key} {...form} fresh={freshLevel} title={t('add')} />;
  if (what === 'edit' && key) return <EditPage key={key} {...form} />;
  return <ListPage t={t} to={() => `levels/new/${newKey('level')}`} query={query} columns={columns} />;
}

function useColumns(): Column<StaffListedLevel>[] {
  const { t, language } = useTexts();
  const reached = ({ thresholds, period_days }: StaffLevel) => {
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
      head: t('status'),
      cell: ({ value: { active } }) => <Tag tone={active ? 'success' : 'neutral'}>{t(active ? 'on' : 'off')}</Tag>,
      kind: 'sign',
    },
  ];
}

const freshLevel: StaffLevel = {
  name: none,
  active: true,
  rank: 1,
  percent: 95,
  thresholds: {},
  period_days: null,
  prices: [],
};

type LevelPrice = StaffLevel['prices'][number];
const inCNY = { currency: 'CNY' };
const inUSD = { currency: 'USD' };
const priceFields: FieldSpec<LevelPrice, Key>[] = [
  { kind: 'price', name: 'prices.CNY', label: 'price', values: inCNY, ...levelPriceRules['prices.CNY'] },
  { kind: 'price', name: 'prices.USD', label: 'price', values: inUSD, ...levelPriceRules['prices.CNY'] },
];
const parts: EditPart<StaffLevel, Key>[] = [
  {
    title: 'basics',
    fields: [
      { kind: 'texts', name: 'name', label: 'name', ...levelRules.name },
      { kind: 'number', name: 'rank', label: 'rank', hint: 'rankHint', ...levelRules.rank },
      { kind: 'number', name: 'percent', label: 'percent', hint: 'percentHint', ...levelRules.percent },
      { kind: 'check', name: 'active', label: 'active' },
    ],
  },
  {
    title: 'reached',
    hint: 'thresholdHint',
    layout: 'pair tight',
    fields: [
      { kind: 'price', name: 'thresholds.CNY', label: 'threshold', values: inCNY, ...levelRules['thresholds.CNY'] },
      { kind: 'price', name: 'thresholds.USD', label: 'threshold', values: inUSD, ...levelRules['thresholds.CNY'] },
      { kind: 'number', name: 'period_days', label: 'period', ...levelRules.period_days },
    ],
  },
  {
    title: 'prices',
    hint: 'pricesHint',
    more: ({ prices }, setAt) => <FixedPrices prices={prices} onChange={(next) => setAt('prices', next)} />,
  },
];
const names = [
  { name: 'thresholds', label: 'thresholds' },
  { name: 'prices', label: 'prices', item: 'value', fields: priceFields },
] as const;

function FixedPrices({ prices, onChange }: { prices: LevelPrice[]; onChange(prices: LevelPrice[]): void }) {
  const { t } = useTexts();
  const { run } = useAction();
  const addValuesOf = async (goods: string) => {
    const { value } = await api('GET goods/:key', { key: goods });
    const isListed = (spec: string) => prices.some((row) => row.goods === goods && row.spec === spec);
    const added = value.specs.filter(({ key }) => !isListed(key)).map(({ key }) => ({ goods, spec: key, prices: {} }));
    onChange([...prices, ...added]);
  };
  return (
    <>
      <ListFields name="prices" rows={prices} title={({ goods, spec }) => `${goods} · ${spec}`}>
        {(_row, at) => <Fields of={priceFields} t={t} at={at} className="pair tight" />}
      </ListFields>
      <GoodsChoice label={t('addGoods')} onChoose={(goods) => void run(() => addValuesOf(goods))} />
    </>
  );
}
