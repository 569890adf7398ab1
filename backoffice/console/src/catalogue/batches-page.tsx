import type { ListedBatch } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney } from '@shop/shared/money';
import { invalidate } from '@shop/shared/query';
import { Button, confirm, Empty, Tag, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { api, postForFile, useApi } from '../api';
import { voidCodesRules } from '../generated/codes.rules';
import { ActionForm, FormDialog } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { type Column, ListTable, RowLink } from '../kit/list-table';
import { BackLink, Facts, Loaded, Section, useAction } from '../kit/parts';
import { saveFile } from '../reports/csv';
import { batchFields, currencyChoices, noBatch, toBatch } from './batch-fields';
import { useTexts } from './batches-texts';

const PAGE_SIZE = 20;
const counts = ['imported', 'sold', 'reserved', 'unsold', 'expired', 'voided'] as const;
const costOf = ({ cost }: ListedBatch) => (cost ? formatMoney(cost.amount, cost.currency) : '—');

/** All batches, or with a product and value those that have codes of it. */
export function BatchesPage({ goods, spec }: { goods: string; spec: string }) {
  const { t } = useTexts();
  const [before, setBefore] = useState<number>();
  const place = goods ? { goods, spec } : {};
  const query = useApi('GET batches', { ...place, before });
  const waiting = useApi('GET batches', { waiting: true });
  const columns: Column<ListedBatch>[] = [
    {
      head: t('name'),
      cell: ({ id, name, supplier, by }) => (
        <RowLink href={`#/stock/batch/${id}`} note={[supplier, by].filter(Boolean).join(' · ')}>
          {name}
        </RowLink>
      ),
    },
    { head: t('day'), cell: ({ at }) => formatDate(at) },
    ...counts.map((name): Column<ListedBatch> => ({ head: t(name), cell: (batch) => batch[name], kind: 'number' })),
    { head: t('cost'), cell: costOf, kind: 'number' },
  ];
  const table = { columns, keyOf: ({ id }: ListedBatch) => id };
  return (
    <>
      <BackLink to={goods ? `stock/of/${goods}/${spec}` : 'stock'}>
        {goods ? `${goods} · ${spec}` : t('stock')}
      </BackLink>
      <h1>{t('title')}</h1>
      <p className="hint">{t('about')}</p>
      {waiting.data?.length ? (
        <Section title={t('waiting')}>
          <ListTable {...table} label={t('waiting')} query={waiting} empty="" />
        </Section>
      ) : null}
      <ListTable {...table} label={t('title')} query={query} empty={t('empty')} />
      <div className="row">
        {query.data?.length === PAGE_SIZE && (
          <Button kind="secondary" onClick={() => setBefore(query.data?.at(-1)?.id)}>
            {t('older')}
          </Button>
        )}
        {before && (
          <Button kind="secondary" onClick={() => setBefore(undefined)}>
            {t('newest')}
          </Button>
        )}
      </div>
    </>
  );
}

export function BatchPage({ id }: { id: number }) {
  const { t } = useTexts();
  return (
    <>
      <BackLink to="stock/batches">{t('all')}</BackLink>
      <Loaded query={useApi('GET batches', { id })}>
        {([batch]) => (batch ? <Batch batch={batch} /> : <Empty title={t('gone')} />)}
      </Loaded>
    </>
  );
}

const changed = ['batches', 'codes', 'stock', 'goods'];
const refetch = () => Promise.all(changed.map((resource) => invalidate([resource])));
const download = async (id: number) => saveFile(`codes-${id}.csv`, await postForFile('batches/file', { id }));

const reason: FieldSpec<{ reason: string }, 'reason'>[] = [
  { name: 'reason', label: 'reason', ...voidCodesRules.reason, 'data-autofocus': true },
];

function Batch({ batch }: { batch: ListedBatch }) {
  const { t } = useTexts();
  const [asked, ask] = useState<'export' | 'void' | null>(null);
  const { run } = useAction();
  const { id, name, supplier, by, at, values, unsold, expired, reserved, exports } = batch;
  const count = unsold + expired;
  const end = async (reason: string) => {
    if (asked === 'void') {
      toast.success(t('voidedNow', { count: (await api('POST batches/void', { id, reason })).voided }));
    } else {
      const made = await api('POST batches/export', { id, reason });
      toast.success(made.state === 'done' ? t('exported', { count: made.codes }) : t('asked'));
      // Its failure is reported apart from the export, whose file can be downloaded again.
      if (made.state === 'done') void run(() => download(made.id));
    }
    ask(null);
  };
  return (
    <>
      <h1>{name}</h1>
      <p className="hint">{[supplier, by, formatDate(at)].filter(Boolean).join(' · ')}</p>
      <section className="card" aria-label={name}>
        <Facts
          of={[
            ...counts.map((name) => [t(name), batch[name]] as const),
            [t('cost'), costOf(batch)],
            [
              t('values'),
              values.map(({ goods, spec }) => (
                <a key={`${goods}/${spec}`} href={`#/stock/of/${goods}/${spec}`}>{`${goods} · ${spec} `}</a>
              )),
            ],
          ]}
        />
        {reserved > 0 && <p className="hint">{t('reservedHint')}</p>}
        <div className="card__actions">
          <Button
            kind="secondary"
            disabled={count === 0 || exports.some(({ state }) => state === 'waiting')}
            onClick={() => ask('export')}
          >
            {t('export', { count })}
          </Button>
          <Button kind="danger" disabled={count === 0} onClick={() => ask('void')}>
            {t('void', { count })}
          </Button>
        </div>
      </section>
      {exports.length > 0 && (
        <Section title={t('exports')}>
          {exports.map((made) => (
            <Export key={made.id} made={made} />
          ))}
        </Section>
      )}
      <BatchForm key={JSON.stringify([name, supplier, batch.cost])} batch={batch} />
      {asked && (
        <FormDialog
          title={t(`${asked}Ask`, { count })}
          fields={reason}
          t={t}
          start={{ reason: '' }}
          submit={t(asked, { count })}
          kind="danger"
          changes={changed}
          onClose={() => ask(null)}
          onSubmit={(values) => end(values.reason.trim())}
        >
          <p>{t(`${asked}Text`)}</p>
        </FormDialog>
      )}
    </>
  );
}

function Export({
  made: { id, codes: count, state, reason, by, at, mine, readable },
}: {
  made: ListedBatch['exports'][number];
}) {
  const { t } = useTexts();
  const { busy, run } = useAction();
  const agree = async () => {
    if (
      !(await confirm({
        title: t('agreeAsk', { count }),
        content: t('exportText'),
        confirmText: t('agree'),
        danger: true,
      }))
    )
      return;
    const { codes } = await api('POST batches/agree', { id });
    toast.success(t('exported', { count: codes }));
    await refetch();
  };
  const refuse = async () => {
    await api('POST batches/refuse', { id });
    await refetch();
  };
  return (
    <article className="card">
      <p className="tags">
        <strong>{t('codes', { count })}</strong>
        <Tag tone={state === 'waiting' ? 'warning' : undefined}>{t(`state.${state}`)}</Tag>
      </p>
      <p>{reason}</p>
      <p className="hint">
        {by} · {formatDate(at)}
      </p>
      <div className="row">
        {readable && (
          <Button kind="secondary" loading={busy} onClick={() => void run(() => download(id))}>
            {t('download')}
          </Button>
        )}
        {state === 'waiting' && !mine && (
          <Button kind="danger" loading={busy} onClick={() => void run(agree)}>
            {t('agree')}
          </Button>
        )}
        {state === 'waiting' && (
          <Button kind="secondary" disabled={busy} onClick={() => void run(refuse)}>
            {t(mine ? 'withdraw' : 'refuse')}
          </Button>
        )}
      </div>
    </article>
  );
}

function BatchForm({ batch: { id, name, supplier, cost } }: { batch: ListedBatch }) {
  const { t } = useTexts();
  return (
    <ActionForm
      label={t('name')}
      fields={batchFields}
      t={t}
      start={{ name, supplier, cost: cost ?? noBatch.cost }}
      onceSent={{}}
      choices={currencyChoices}
      submit={t('save')}
      kind="secondary"
      done={t('saved')}
      changes={['batches', 'codes']}
      onSubmit={(values) => api('POST batches/save', { id, ...toBatch(values) })}
    />
  );
}
