import type { StaffSuppliedValue, StaffSupplier } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { listQueryOptions, useListQuery } from '@shop/shared/query';
import { Notice, Tag } from '@shop/shared/ui';
import { api, useApi } from '../api';
import { ActionButton } from '../kit/action-form';
import { type Column, PagedTable, RowLink } from '../kit/list-table';
import { List } from '../kit/parts';
import { ProductSearch } from '../kit/search-form';
import { useTexts } from './suppliers-texts';

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
      <List query={suppliers} empty={t('noSuppliers')} lines={2}>
        {(supplier) => <SupplierState key={supplier.name} {...supplier} />}
      </List>
      <ProductSearch page="suppliers" words={words} />
      <PagedTable
        label={t('values')}
        list={useListQuery(valuesQuery(words))}
        more={t('more')}
        empty={t('empty')}
        art="search"
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
