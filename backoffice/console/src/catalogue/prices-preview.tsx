import type { StaffPricesPreview } from '@shop/backoffice/wire';
import type { Currency } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { formatMoney as money } from '@shop/shared/money';
import { Button, Tag } from '@shop/shared/ui';
import { useState } from 'react';
import { type Column, TableOf, TextTable } from '../kit/list-table';
import { useTexts } from './price-list-texts';

type Change = StaffPricesPreview['changes'][number];

/** Changes that the page adds at a time. */
const PAGE = 100;

interface PricesPreviewProps {
  preview: StaffPricesPreview;
  busy: boolean;
  onApply(): void;
}

export function PricesPreview({ preview, busy, onApply }: PricesPreviewProps) {
  const { t } = useTexts();
  const [shown, setShown] = useState(PAGE);
  const { changes, faults, fault_count, unknown } = preview;
  const columns = useColumns();
  const title = t('changes', { count: changes.length });
  return (
    <div className="list">
      <p role="status">
        <strong>{changes.length > 0 ? title : t('nothing')}</strong> {fault_count > 0 && t('fix')}
      </p>
      {unknown.length > 0 && <p className="hint">{t('unknown', { names: unknown.join(' · ') })}</p>}
      {fault_count > 0 && (
        <TextTable
          title={t('faults', { count: fault_count })}
          head={[t('row'), t('column'), t('written'), t('problem')]}
          rows={faults.map(({ row, column, text, kind, other = 0 }) => [
            String(row),
            column,
            text,
            t(`fault.${kind}`, { other }),
          ])}
        />
      )}
      {changes.length > 0 && (
        <TableOf label={title} columns={columns} rows={changes.slice(0, shown)} keyOf={({ row }) => row} />
      )}
      <div className="row">
        {changes.length > 0 && fault_count === 0 && (
          <Button loading={busy} onClick={onApply}>
            {t('apply', { count: changes.length })}
          </Button>
        )}
        {changes.length > shown && (
          <Button kind="secondary" onClick={() => setShown(shown + PAGE)}>
            {t('more')}
          </Button>
        )}
      </div>
    </div>
  );
}

function useColumns(): Column<Change>[] {
  const { t } = useTexts();
  const lineOf = (cell: string, before: string | null, after: string | null) => {
    const [kind, currency] = cell.split('.') as ['price' | 'original', Currency];
    const [old, now] = [before, after].map((amount) => (amount === null ? t('none') : money(amount, currency)));
    return `${t(kind)} ${old} → ${now}`;
  };
  const costsOf = (change: Pick<Change, `cost.${Currency}`>) =>
    currencies.flatMap((currency) => {
      const cost = change[`cost.${currency}`];
      return cost ? [t('cost', { amount: money(cost, currency) })] : [];
    });
  return [
    {
      head: t('value'),
      cell: ({ name, spec_name, goods, spec }) => (
        <>
          {name} · {spec_name} <span className="hint">{`${goods} ${spec}`}</span>
        </>
      ),
    },
    {
      head: t('change'),
      cell: ({ before, after }) =>
        Object.entries(after).map(([cell, value]) => (
          <div key={cell}>{lineOf(cell, before[cell as keyof typeof before] ?? null, value)}</div>
        )),
    },
    {
      head: t('buyers'),
      cell: ({ buyers, ...change }) => (
        <>
          {buyers.map(({ level, currency, price, margin }, index) => (
            <div key={index}>
              {level ?? t('everyone')} {money(price, currency)} {margin !== null && `· ${t('margin', { margin })}`}{' '}
              {Number(margin) < 0 && <Tag tone="danger">{t('below')}</Tag>}
            </div>
          ))}
          <div className="hint">{costsOf(change).join(' · ')}</div>
        </>
      ),
    },
  ];
}
