import type { ListedBatch } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney } from '@shop/shared/money';
import { Button, Empty, Tag, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from '../api';
import { ActionButton, ActionForm, FormDialog } from '../kit/action-form';
import { saveFile } from '../kit/files';
import { type Column, ListTable, RowLink } from '../kit/list-table';
import { BackLink, Facts, Loaded, Note, Section, useAction } from '../kit/parts';
import { go } from '../location';
import { useTexts as useShopTexts } from '../texts';
import { batchFields, currencyChoices, reason } from './codes';
import { useTexts } from './stock-texts';

const PAGE_SIZE = 20;
const counts = ['imported', 'sold', 'reserved', 'unsold', 'expired', 'voided'] as const;
const costOf = ({ cost, currency }: ListedBatch) => (cost ? formatMoney(cost, currency) : '—');

/** The newest batches, or those that came before the batch with the id `before`. */
export function BatchesPage({ before }: { before?: number }) {
  const { t } = useTexts();
  const query = useApi('GET batches', { before });
  const waiting = useApi('GET batches', { waiting: true });
  const columns: Column<ListedBatch>[] = [
    {
      head: t('batch.name'),
      cell: ({ id, name, supplier, by }) => (
        <RowLink href={`#/stock/batch/${id}`} note={[supplier, by].filter(Boolean).join(' · ')}>
          {name}
        </RowLink>
      ),
    },
    { head: t('imported'), cell: ({ at }) => formatDate(at) },
    ...counts.map(
      (name): Column<ListedBatch> => ({ head: t(`batch.count.${name}`), cell: (row) => row[name], kind: 'number' }),
    ),
    { head: t('batch.cost'), cell: costOf, kind: 'number' },
  ];
  const table = { columns, keyOf: ({ id }: ListedBatch) => id };
  const last = query.data?.[PAGE_SIZE - 1];
  return (
    <>
      <BackLink to="stock">{t('all')}</BackLink>
      <h1>{t('batch.title')}</h1>
      <p className="hint">{t('batch.about')}</p>
      {waiting.error || waiting.data?.length ? (
        <Section title={t('batch.waiting')}>
          <ListTable {...table} label={t('batch.waiting')} query={waiting} empty="" />
        </Section>
      ) : null}
      <ListTable {...table} label={t('batch.title')} query={query} empty={t('batch.empty')} />
      {last && (
        <Button kind="secondary" onClick={() => go(`stock/batches/${last.id}`)}>
          {t('older')}
        </Button>
      )}
    </>
  );
}

export function BatchPage({ id }: { id: number }) {
  const { t } = useTexts();
  return (
    <>
      <BackLink to="stock/batches">{t('batch.title')}</BackLink>
      <Loaded query={useApi('GET batches', { id })}>
        {([batch]) => (batch ? <Batch batch={batch} /> : <Empty title={t('batch.gone')} />)}
      </Loaded>
    </>
  );
}

const changed = ['batches', 'codes', 'stock', 'goods'];
const download = async (id: number) => saveFile(`codes-${id}.csv`, (await api('POST batches/file', { id })).csv);

function Batch({ batch }: { batch: ListedBatch }) {
  const { t } = useTexts();
  const [action, setAction] = useState<'export' | 'void' | null>(null);
  const { run } = useAction();
  const { id, name, supplier, cost, currency, by, at, values, exports } = batch;
  const count = batch.unsold + batch.expired;
  const end = async (reason: string) => {
    if (action === 'void') {
      toast.success(t('batch.voided', { count: (await api('POST batches/void', { id, reason })).voided }));
    } else {
      const made = await api('POST batches/export', { id, reason });
      toast.success(made.state === 'done' ? t('batch.exported', { count: made.codes }) : t('batch.asked'));
      // Its failure is reported apart from the export, whose file can be downloaded again.
      if (made.state === 'done') void run(() => download(made.id));
    }
    setAction(null);
  };
  const links = values.map((value) => <a key={value} href={`#/stock/of/${value}`}>{`${value} `}</a>);
  return (
    <>
      <h1>{name}</h1>
      <p className="hint">{[supplier, by, formatDate(at)].filter(Boolean).join(' · ')}</p>
      <section className="card" aria-label={name}>
        <Facts
          of={[...counts.map((name) => [t(`batch.count.${name}`), batch[name]] as const), [t('product'), links]]}
        />
        {batch.reserved > 0 && <p className="hint">{t('batch.reservedHint')}</p>}
        {count > 0 && (
          <div className="card__actions">
            <Button
              kind="secondary"
              disabled={exports.some(({ state }) => state === 'waiting')}
              onClick={() => setAction('export')}
            >
              {t('batch.export', { count })}
            </Button>
            <Button kind="danger" onClick={() => setAction('void')}>
              {t('batch.void', { count })}
            </Button>
          </div>
        )}
      </section>
      {exports.length > 0 && (
        <Section title={t('batch.exports')}>
          {exports.map((made) => (
            <Export key={made.id} made={made} />
          ))}
        </Section>
      )}
      <ActionForm
        key={JSON.stringify([name, supplier, cost, currency])}
        label={t('batch.name')}
        fields={batchFields}
        t={t}
        start={{ name, supplier, cost, currency }}
        onceSent={{}}
        choices={currencyChoices}
        submit={t('save')}
        kind="secondary"
        done={t('saved')}
        changes={['batches', 'codes']}
        onSubmit={(values) => api('POST batches/save', { id, ...values })}
      />
      {action && (
        <FormDialog
          title={t(`batch.${action}`, { count })}
          fields={reason}
          t={t}
          start={{ reason: '' }}
          submit={t(`batch.${action}`, { count })}
          kind="danger"
          changes={changed}
          onClose={() => setAction(null)}
          onSubmit={(values) => end(values.reason.trim())}
        >
          <p>{t(action === 'void' ? 'voidText' : 'batch.exportText')}</p>
        </FormDialog>
      )}
    </>
  );
}

function Export({ made }: { made: ListedBatch['exports'][number] }) {
  const { t } = useTexts();
  const { t: shopText } = useShopTexts();
  const { id, codes: count, state, mine } = made;
  const title = t('batch.export', { count });
  const decide = async (decision: 'agree' | 'refuse') => {
    const { codes } = await api(`POST batches/${decision}`, { id });
    if (codes > 0) toast.success(t('batch.exported', { count: codes }));
  };
  return (
    <article className="card">
      <p className="tags">
        <strong>{t('batch.codes', { count })}</strong>
        <Tag tone={state === 'waiting' ? 'warning' : undefined}>{t(`batch.state.${state}`)}</Tag>
      </p>
      <Note by={made.by} at={made.at} text={made.reason} />
      <div className="row">
        {made.readable && <ActionButton action={() => download(id)}>{t('batch.download')}</ActionButton>}
        {state === 'waiting' && !mine && (
          <ActionButton
            kind="danger"
            question={{ title, content: t('batch.exportText'), confirmText: shopText('refunds.agree'), danger: true }}
            action={() => decide('agree')}
            changes={changed}
          >
            {shopText('refunds.agree')}
          </ActionButton>
        )}
        {state === 'waiting' && (
          <ActionButton action={() => decide('refuse')} changes={changed}>
            {shopText(mine ? 'refunds.takeBack' : 'refunds.refuse')}
          </ActionButton>
        )}
      </div>
    </article>
  );
}
