import type { StaffSuppliedValue, StaffSupplier } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { listQueryOptions, useListQuery } from '@shop/shared/query';
import { Notice, Tag } from '@shop/shared/ui';
import { api, useApi } from '../api';
import { ActionButton, ProductSearch } from '../kit/action-form';
import { type Column, PagedTable, RowLink } from '../kit/list-table';
import { List } from '../kit/parts';
import { pairTexts } from '../pair-texts';

const POLL_MS = 5_000;

const valuesQuery = (q: string) => ({
  ...listQueryOptions(
    ['suppliers', 'GET suppliers/values', q],
    (page) => api('GET suppliers/values', { q, page }, { watch: true }),
    ({ goods, spec }) => `${goods}/${spec}`,
  ),
  refetchInterval: POLL_MS,
});

/** `#/suppliers`, `#/suppliers/find/<words>`. */
export function SuppliersPage({ place: [, words = ''] }: { place: string[] }) {
  const { t } = useTexts();
  const suppliers = useApi('GET suppliers', {}, { watch: true, refetchInterval: POLL_MS });
  return (
    <>
      <h1>{t('nav.suppliers')}</h1>
      <List query={suppliers} empty={t('noSuppliers')}>
        {(supplier) => <SupplierState key={supplier.name} {...supplier} />}
      </List>
      <ProductSearch page="suppliers" words={words} />
      <PagedTable
        label={t('values')}
        list={useListQuery(valuesQuery(words))}
        empty={t('empty')}
        columns={useColumns()}
        keyOf={({ goods, spec }) => `${goods}/${spec}`}
      />
    </>
  );
}

function SupplierState({ name, margin_percent, answered_at, failing_since, fault, asking }: StaffSupplier) {
  const { t } = useTexts();
  return (
    <article className="card">
      <div className="row">
        <h2 className="grow">{name}</h2>
        <ActionButton disabled={asking} action={() => api('POST suppliers/ask', { name })} changes={['suppliers']}>
          {t(asking ? 'asking' : 'ask')}
        </ActionButton>
      </div>
      {failing_since && (
        <Notice tone="danger">{t('failing', { since: formatDate(answered_at ?? failing_since), fault })}</Notice>
      )}
      <p className="hint" aria-live="polite">
        {answered_at ? t('answered', { at: formatDate(answered_at) }) : t('never')}
        {margin_percent > 0 && ` · ${t('margin', { count: margin_percent })}`}
      </p>
    </article>
  );
}

function useColumns(): Column<StaffSuppliedValue>[] {
  const { t, language } = useTexts();
  const inEach =
    (shown: (price: StaffSuppliedValue['prices'][number]) => string | null) => (value: StaffSuppliedValue) =>
      value.prices.map((price) => shown(price) ?? t('unknown')).join(' / ');
  return [
    {
      head: t('value'),
      cell: ({ goods, name, spec_name, supplier, answered_at }) => (
        <RowLink
          href={`#/goods/edit/${goods}`}
          note={answered_at ? `${supplier} · ${t('answered', { at: formatDate(answered_at) })}` : t('never')}
        >
          {name[language]} · {spec_name[language]}
        </RowLink>
      ),
    },
    { head: t('cost'), cell: inEach(({ cost, currency }) => cost && money(cost, currency)), kind: 'number' },
    { head: t('price'), cell: inEach(({ price, currency }) => money(price, currency)), kind: 'number' },
    { head: t('marginPart'), cell: inEach(({ margin }) => (margin === null ? null : `${margin} %`)), kind: 'number' },
    {
      head: t('status'),
      cell: ({ hold }) => hold && <Tag tone={hold === 'cost' ? 'danger' : 'warning'}>{t(`held.${hold}`)}</Tag>,
      kind: 'sign',
    },
  ];
}

const { useTexts } = pairTexts('staff-suppliers', {
  values: ['供应商交付的面值', 'Values that suppliers deliver'],
  noSuppliers: ['还没有供应商答复', 'No supplier has been asked yet'],
  margin: [
    '售价至少留 {{count}} % 毛利，否则停售。',
    'A value that leaves less than {{count}} % of its price is off sale.',
  ],
  answered: ['{{at}} 更新', 'Updated {{at}}'],
  never: ['还没有答复', 'No answer yet'],
  failing: [
    '{{since}} 起没有可用的答复，成本和库存保持不变：{{fault}}',
    'No usable answer since {{since}}. Costs and stock stay as they were: {{fault}}',
  ],
  ask: ['立即查询', 'Ask now'],
  asking: ['正在查询', 'Asking'],
  empty: ['没有由供应商交付的面值', 'No values are delivered by suppliers'],
  cost: ['成本', 'Cost'],
  price: ['最低售价', 'Lowest price'],
  marginPart: ['毛利率', 'Margin'],
  held: {
    cost: ['停售：成本过高', 'Off sale: costs too much'],
    out: ['供应商缺货', 'Out at the supplier'],
  },
  unknown: ['不明', 'Unknown'],
});
