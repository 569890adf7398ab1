import type { StaffFreeCode } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { Button, Checkbox } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from '../api';
import { freeCodesRules, voidCodesRules } from '../generated/field-rules';
import { ActionForm, FormDialog } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { type Column, ListTable } from '../kit/list-table';
import { Section } from '../kit/parts';
import { useTexts } from './stock-texts';

const PAGE_SIZE = 50;

const tailField: FieldSpec<{ tail: string }, 'tail'>[] = [
  { name: 'tail', label: 'tail', ...freeCodesRules.tail, spellCheck: false },
];

export const reason: FieldSpec<{ reason: string }, 'reason'>[] = [
  { name: 'reason', label: 'reason', ...voidCodesRules.reason, 'data-autofocus': true },
];

export function FreeCodes({ goods, spec }: { goods: string; spec: string }) {
  const { t } = useTexts();
  const [{ tail, before }, setPage] = useState<{ tail: string; before?: number }>({ tail: '' });
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [asking, setAsking] = useState(false);
  const query = useApi('GET codes', { goods, spec, tail, before });
  const { data } = query;
  // Only visible codes are voided, not those that a new search has hidden.
  const chosen = (data ?? []).filter(({ id }) => selected.has(id));
  const count = { count: chosen.length };
  const toggle = (id: number) =>
    setSelected((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const columns: Column<StaffFreeCode>[] = [
    {
      head: t('number'),
      cell: ({ id, number }) => (
        <Checkbox checked={selected.has(id)} onChange={() => toggle(id)}>
          <span className="tabular">{number}</span>
        </Checkbox>
      ),
    },
    { head: t('imported'), cell: ({ created_at }) => formatDate(created_at) },
    {
      head: t('batch.of'),
      cell: ({ batch, batch_id }) => (batch_id ? <a href={`#/stock/batch/${batch_id}`}>{batch}</a> : '—'),
    },
    { head: t('validUntil'), cell: ({ expire_at }) => (expire_at ? formatDate(expire_at, 'day') : '—') },
  ];
  return (
    <Section className="card" title={t('free')}>
      <p className="hint">{t('freeHint')}</p>
      <ActionForm
        className="row"
        layout="row"
        fields={tailField}
        t={t}
        start={{ tail }}
        onceSent={{}}
        submit={t('nav.find')}
        kind="secondary"
        icon="search"
        onSubmit={async (page) => setPage({ tail: page.tail.trim() })}
      />
      <ListTable label={t('free')} query={query} empty={t('none')} columns={columns} keyOf={({ id }) => id} />
      <div className="card__actions">
        <Button kind="danger" disabled={chosen.length === 0} onClick={() => setAsking(true)}>
          {chosen.length === 0 ? t('voidChosen') : t('void', count)}
        </Button>
        {data?.length === PAGE_SIZE && !tail && (
          <Button kind="secondary" onClick={() => setPage({ tail, before: data.at(-1)?.id })}>
            {t('older')}
          </Button>
        )}
      </div>
      {asking && (
        <FormDialog
          title={t('voidAsk', count)}
          fields={reason}
          t={t}
          start={{ reason: '' }}
          submit={t('void', count)}
          kind="danger"
          done={t('voided')}
          changes={['stock', 'codes']}
          onClose={() => setAsking(false)}
          onSubmit={async (values) => {
            await api('POST codes/void', { ids: chosen.map(({ id }) => id), reason: values.reason.trim() });
            setAsking(false);
            setSelected(new Set());
          }}
        >
          <p>{t('voidText')}</p>
        </FormDialog>
      )}
    </Section>
  );
}
