import type { StaffSuppliers } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { invalidate } from '@shop/shared/query';
import { Button, Empty, Notice, Tag } from '@shop/shared/ui';
import { api, useApi } from '../api';
import { type Column, ListTable, RowLink } from '../kit/list-table';
import { Loaded, useAction } from '../kit/parts';
import { SearchForm } from '../kit/search-form';
import { go } from '../location';
import { useTexts } from './suppliers-texts';

type Supplier = StaffSuppliers['suppliers'][number];
type SuppliedValue = StaffSuppliers['values'][number];

/** `#/suppliers`, `#/suppliers/find/<words>`. */
export function SuppliersPage({ place: [, words = ''] }: { place: string[] }) {
  const { t } = useTexts();
  const query = useApi('GET suppliers', { q: words }, { watch: true, refetchInterval: 5_000 });
  const columns = useColumns();
  return (
    <>
      <h1>{t('title')}</h1>
      <Loaded query={query} lines={8}>
        {({ suppliers, values }) => (
          <>
            {suppliers.length === 0 && <Empty title={t('noSuppliers')} />}
            {suppliers.map((supplier) => (
              <SupplierState key={supplier.name} {...supplier} />
            ))}
            <SearchForm
              t={t}
              words={words}
              label="search"
              hint="searchHint"
              submit={t('find')}
              onSearch={(typed) => go(`suppliers/find/${encodeURIComponent(typed)}`)}
            />
            <ListTable
              label={t('title')}
              query={{ ...query, data: values }}
              empty={t('empty')}
              art="search"
              columns={columns}
              keyOf={({ goods, spec }) => `${goods}/${spec}`}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function SupplierState({ name, margin_percent, answered_at, failing_since, fault, asking }: Supplier) {
  const { t } = useTexts();
  const { busy, run } = useAction();
  const ask = async () => {
    await api('POST suppliers/ask', { name });
    await invalidate(['suppliers']);
  };
  return (
    <article className="card">
      <div className="row">
        <h2 className="grow">{name}</h2>
        <Button kind="secondary" disabled={busy || asking} onClick={() => void run(ask)}>
          {t(asking ? 'asking' : 'ask')}
        </Button>
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

function useColumns(): Column<SuppliedValue>[] {
  const { t, language } = useTexts();
  const inEach = (shown: (price: SuppliedValue['prices'][number]) => string | null) => (value: SuppliedValue) =>
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
      head: t('state'),
      cell: ({ hold }) => hold && <Tag tone={hold === 'cost' ? 'danger' : 'warning'}>{t(`held.${hold}`)}</Tag>,
      kind: 'sign',
    },
  ];
}
