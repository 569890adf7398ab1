import type { CodeFault, StaffCodesPreview } from '@shop/backoffice/wire';
import { ErrorCode } from '@shop/shared/domain';
import { invalidate } from '@shop/shared/query';
import { Button, toast } from '@shop/shared/ui';
import { type SetStateAction, useRef, useState } from 'react';
import { api, StaffApiError } from '../api';
import { type FieldSpec, Fields } from '../kit/fields';
import { Form, FormFaults, Submit, useForm } from '../kit/form';
import { TextTable } from '../kit/list-table';
import { type Key, t, useTexts } from './stock-texts';

const MOST_SHOWN = 100;
/** The server accepts no larger file. */
const MOST_BYTES = 500_000;

/**
 * The server checks the codes first and reports faults by line; then the user decides. Without a product, each line of the file
 * names its own.
 */
export function ImportCodes({ goods, spec }: { goods: string; spec: string }) {
  const { t } = useTexts();
  const [values, setValues] = useState({ text: '' });
  const [preview, setPreview] = useState<StaffCodesPreview | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const change = (next: SetStateAction<typeof values>) => {
    setValues(next);
    setPreview(null);
  };
  const form = useForm(values, change);
  const check = async () => setPreview(await api('POST codes/preview', { goods, spec, ...values }));
  const take = async () => {
    const body = { goods, spec, ...values, only_good: (preview?.faults.length ?? 0) > 0 };
    const { added, left_out } = await api('POST codes/import', body);
    change({ text: '' });
    toast.success(left_out > 0 ? t('leftOut', { count: added, left: left_out }) : t('added', { count: added }));
    await Promise.all([invalidate(['stock']), invalidate(['codes']), invalidate(['goods'])]);
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
  return (
    <Form form={form} className="card" onSubmit={preview ? take : check}>
      <h2>{t('codes')}</h2>
      <Fields of={fields} t={t} className="stack" />
      <input
        ref={file}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        hidden
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          if (chosen) void form.run(async () => change({ text: await textOf(chosen) }));
          event.target.value = '';
        }}
      />
      {preview && <Preview preview={preview} />}
      <FormFaults form={form} label={() => undefined} />
      <div className="row">
        <Submit form={form} disabled={preview?.good === 0}>
          {preview ? t(preview.faults.length > 0 ? 'takeGood' : 'takeAll', { count: preview.good }) : t('check')}
        </Submit>
        <Button kind="secondary" disabled={form.busy} onClick={() => file.current?.click()}>
          {t('file')}
        </Button>
      </div>
    </Form>
  );
}

/** Throws StaffApiError for a file that is too large or not UTF-8. */
export async function textOf(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new StaffApiError(ErrorCode.InvalidInput, t('tooLarge'), null);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new StaffApiError(ErrorCode.InvalidInput, t('notUtf8'), null);
  }
}

function Preview({ preview: { good, faults, specs } }: { preview: StaffCodesPreview }) {
  const { t } = useTexts();
  const what = ({ kind, other = 0 }: CodeFault) => t(`fault.${kind}`, { other });
  return (
    <div role="status" className="list">
      <p>
        <strong>{t('good', { count: good })}</strong>
        {specs.length > 1 && ` · ${specs.map((spec) => `${spec.goods}/${spec.spec} ${spec.good}`).join(' · ')}`}
      </p>
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
