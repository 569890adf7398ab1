import type { CodeFault, StaffBatch, StaffCodesPreview, StaffFreeCode } from '@shop/backoffice/wire';
import { ErrorCode } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { Button, Checkbox, toast } from '@shop/shared/ui';
import { type SetStateAction, useState } from 'react';
import { api, StaffApiError, useApi } from '../api';
import { batchRules, freeCodesRules, voidCodesRules } from '../generated/field-rules';
import { ActionForm, FormDialog, refetch } from '../kit/action-form';
import { currencyOptions, type FieldSpec, Fields } from '../kit/fields';
import { FileButton } from '../kit/files';
import { Form, FormFaults, Submit, useForm } from '../kit/form';
import { type Column, ListTable, TextTable } from '../kit/list-table';
import { Section } from '../kit/parts';
import { type Key, t, useTexts } from './stock-texts';

const MOST_SHOWN = 100;
/** The server accepts no larger file. */
const MOST_BYTES = 500_000;

const noBatch: StaffBatch = { name: '', supplier: '', currency: 'CNY' };
export const batchFields: FieldSpec<StaffBatch, Key>[] = [
  { name: 'name', label: 'batch.name', hint: 'batch.nameHint', ...batchRules.name },
  { name: 'supplier', label: 'batch.supplier', ...batchRules.supplier },
  { kind: 'price', name: 'cost', label: 'batch.cost', ...batchRules.cost },
  { kind: 'select', name: 'currency', label: 'currency' },
];
export const currencyChoices = { currency: currencyOptions };

const noCodes = { text: '', same_numbers: false, batch: noBatch };

/**
 * The server checks the codes first and reports faults by line; then the user decides. Without a product, each line of the file
 * names its own.
 */
export function ImportCodes({ goods, spec }: { goods: string; spec: string }) {
  const { t } = useTexts();
  const [values, setValues] = useState(noCodes);
  const [preview, setPreview] = useState<StaffCodesPreview | null>(null);
  const change = (next: SetStateAction<typeof values>) => {
    setValues((before) => {
      const after = typeof next === 'function' ? next(before) : next;
      // The confirmation is for the codes that were checked.
      return after.text === before.text ? after : { ...after, same_numbers: false };
    });
    setPreview(null);
  };
  const form = useForm(values, change);
  const { batch, ...codes } = values;
  const check = async () => setPreview(await api('POST codes/preview', { goods, spec, ...codes }));
  const take = async () => {
    const body = { goods, spec, ...codes, batch, only_good: (preview?.faults.length ?? 0) > 0 };
    const { added, left_out } = await api('POST codes/import', body);
    change(noCodes);
    toast.success(left_out > 0 ? t('leftOut', { count: added, left: left_out }) : t('added', { count: added }));
    await refetch(['stock', 'codes', 'goods', 'batches']);
  };
  const fields: FieldSpec<typeof values, Key>[] = [
    {
      kind: 'area',
      name: 'text',
      label: 'paste',
      hint: goods ? 'pasteHint' : 'fileHint',
      rows: 6,
      spellCheck: false,
      required: true,
    },
  ];
  if (values.same_numbers || preview?.faults.some(({ kind }) => kind === 'number' || kind === 'numberTwice'))
    fields.push({ kind: 'check', name: 'same_numbers', label: 'sameNumbers' });
  return (
    <Form form={form} className="card" onSubmit={preview ? take : check}>
      <h2>{t('codes')}</h2>
      <Fields of={fields} t={t} className="stack" />
      <details>
        <summary>{t('batch.optional')}</summary>
        <Fields of={batchFields} t={t} at="batch" choices={currencyChoices} />
      </details>
      {preview && <Preview preview={preview} />}
      <FormFaults form={form} label={() => undefined} />
      <div className="row">
        <Submit form={form} disabled={preview?.good === 0}>
          {preview ? t(preview.faults.length > 0 ? 'takeGood' : 'takeAll', { count: preview.good }) : t('check')}
        </Submit>
        <FileButton
          accept=".csv,.txt,text/csv,text/plain"
          disabled={form.busy}
          onFile={(file) => void form.run(async () => change({ ...noCodes, text: await textOf(file) }))}
        >
          {t('file')}
        </FileButton>
      </div>
    </Form>
  );
}

/** Throws StaffApiError for a file that is too large or not UTF-8. */
async function textOf(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new StaffApiError(ErrorCode.InvalidInput, t('tooLarge'), null);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new StaffApiError(ErrorCode.InvalidInput, t('notUtf8'), null);
  }
}

function Preview({ preview: { good, faults, specs, rows } }: { preview: StaffCodesPreview }) {
  const { t } = useTexts();
  const what = ({ kind, other = 0 }: CodeFault) => t(`fault.${kind}`, { other });
  return (
    <div role="status" className="list">
      <p>
        <strong>{t('good', { count: good })}</strong>
        {specs.length > 1 && ` · ${specs.map((spec) => `${spec.goods}/${spec.spec} ${spec.good}`).join(' · ')}`}
      </p>
      {rows.length > 0 && (
        <TextTable
          title={t('firstRows')}
          head={[t('line'), t('number'), t('password'), t('validUntil')]}
          rows={rows.map(({ line, card_no, card_pwd, expire_at }) => [
            String(line),
            card_no,
            card_pwd || '—',
            expire_at ? formatDate(expire_at) : '—',
          ])}
        />
      )}
      {faults.length > 0 && (
        <TextTable
          title={t('wrong', { count: faults.length })}
          head={[t('line'), t('what')]}
          rows={faults.slice(0, MOST_SHOWN).map((fault) => [String(fault.line), what(fault)])}
        />
      )}
      {faults.length > MOST_SHOWN && <p className="hint">{t('more', { count: faults.length - MOST_SHOWN })}</p>}
    </div>
  );
}

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
  const [selected, setSelected] = useState<readonly number[]>([]);
  const [asking, setAsking] = useState(false);
  const query = useApi('GET codes', { goods, spec, tail, before });
  const { data } = query;
  // Only visible codes are voided, not those that a new search has hidden.
  const chosen = (data ?? []).filter(({ id }) => selected.includes(id));
  const count = { count: chosen.length };
  const choose = (id: number, isChosen: boolean) =>
    setSelected(isChosen ? [...selected, id] : selected.filter((code) => code !== id));
  const columns: Column<StaffFreeCode>[] = [
    {
      head: t('number'),
      cell: ({ id, number }) => (
        <Checkbox checked={selected.includes(id)} onChange={(isChosen) => choose(id, isChosen)}>
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
            setSelected([]);
          }}
        >
          <p>{t('voidText')}</p>
        </FormDialog>
      )}
    </Section>
  );
}
