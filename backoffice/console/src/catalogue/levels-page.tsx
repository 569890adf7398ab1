import type { StaffLevel, StaffListedLevel } from '@shop/backoffice/wire';
import { currencies } from '@shop/shared/domain/lists';
import { formatMoney } from '@shop/shared/money';
import { Tag } from '@shop/shared/ui';
import { api, useApi } from '../api';
import { EditPage, type EditPart, none } from '../edits/editor';
import { GoodsChoice, newKey } from '../edits/parts';
import { levelPriceRules, levelRules } from '../generated/field-rules';
import { type FieldSpec, Fields } from '../kit/fields';
import type { FormState } from '../kit/form';
import { ListFields } from '../kit/list-fields';
import { type Column, ListPage, RowLink } from '../kit/list-table';
import { useAction } from '../kit/parts';
import { pairTexts } from '../pair-texts';

/** `#/levels`, `#/levels/edit/<key>`, `#/levels/new/<key>`. */
export function LevelsPage({ place: [what, key] }: { place: string[] }) {
  const { t } = useTexts();
  const query = useApi('GET levels', {});
  const columns = useColumns();
  const form = { path: 'levels', itemKey: key ?? '', parts, names, t, all: t('all') } as const;
  if (what === 'new' && key) return <EditPage key={key} {...form} fresh={freshLevel} title={t('add')} />;
  if (what === 'edit' && key) return <EditPage key={key} {...form} />;
  return <ListPage page="levels" t={t} to={() => `levels/new/${newKey('level')}`} query={query} columns={columns} />;
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
    more: (form) => <FixedPrices {...form} />,
  },
];
const names = [
  { name: 'thresholds', label: 'thresholds' },
  { name: 'prices', label: 'prices', item: 'value', fields: priceFields },
] as const;

function FixedPrices({ values: { prices }, setAt }: FormState<StaffLevel>) {
  const { t } = useTexts();
  const { run } = useAction();
  const addValuesOf = async (goods: string) => {
    const { value } = await api('GET goods/:key', { key: goods });
    const isListed = (spec: string) => prices.some((row) => row.goods === goods && row.spec === spec);
    const added = value.specs.filter(({ key }) => !isListed(key)).map(({ key }) => ({ goods, spec: key, prices: {} }));
    setAt('prices', [...prices, ...added]);
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

const { useTexts, t } = pairTexts('staff-levels', {
  add: ['新建等级', 'New level'],
  empty: ['还没有等级，买家都按原价购买', 'No levels yet. Every customer pays the same.'],
  all: ['返回等级列表', 'All levels'],
  on: ['启用', 'Active'],
  off: ['停用', 'Off'],
  pays: ['付 {{percent}}%', 'pays {{percent}}%'],
  fixed: ['{{count}} 个固定价', '{{count}} fixed prices', '1 fixed price'],
  reachedAt: ['{{days}} 天内消费 {{amounts}}', '{{amounts}} spent within {{days}} days'],
  or: [' 或 ', ' or '],
  byStaff: ['仅由客服授予', 'Assigned by staff only'],
  terms: ['价格', 'Prices'],
  assigned: ['授予人数', 'Assigned to'],
  active: ['启用此等级', 'Active'],
  rank: ['级别', 'Rank'],
  rankHint: ['数字越大等级越高', 'A higher number is a higher level'],
  percent: ['实付百分比', 'Customer pays (%)'],
  percentHint: [
    '95 表示 9.5 折。先算数量价，再按此折扣，每件四舍五入到分，最后用优惠券。',
    '95 means 5% off. Applied after quantity discounts, rounded per item, before coupons.',
  ],
  reached: ['如何获得', 'How customers get it'],
  thresholds: ['消费金额', 'Spending'],
  threshold: ['消费满（{{currency}}）', 'Spend at least ({{currency}})'],
  thresholdHint: [
    '已完成订单的实付金额减退款；任一币种达到即可。都不填则只能由客服授予。',
    'Paid for delivered orders, minus refunds; either currency is enough. Leave blank to let only staff assign it.',
  ],
  period: ['统计天数', 'Within days'],
  prices: ['固定价格', 'Fixed prices'],
  pricesHint: [
    '这些面值按固定价而不按百分比；高于数量价时不生效。不填价格的行会被去掉。',
    'A fixed price for these values instead of the percentage; no effect if the quantity price is lower. Rows without a price are dropped.',
  ],
  addGoods: ['添加商品的面值', 'Add a product’s values'],
});
type Key = Parameters<typeof t>[0];
