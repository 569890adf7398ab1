import type { CodeFault, StaffCodesPreview } from '@shop/backoffice/wire';
import { ErrorCode } from '@shop/shared/domain';
import { invalidate } from '@shop/shared/query';
import { Button, toast } from '@shop/shared/ui';
import { useRef, useState } from 'react';
import { api, StaffApiError } from '../api';
import { isSendKey } from '../keys';
import { Area, Fault, Table, useFormAct } from '../parts';
import { t, useTexts } from './texts';

const MOST_SHOWN = 100;
/** The server takes no more letters. */
const MOST_BYTES = 500_000;

/** Codes are checked first; what is wrong is named by its line, and the person chooses. Without goods each line of the file names its own. */
export function ImportCodes({ goods, spec }: { goods: string; spec: string }) {
  const { t } = useTexts();
  const [text, setText] = useState('');
  const [preview, setPreview] = useState<StaffCodesPreview | null>(null);
  const { busy, fault, act } = useFormAct();
  const file = useRef<HTMLInputElement>(null);
  const write = (next: string) => {
    setText(next);
    setPreview(null);
  };
  const check = () => act(async () => setPreview(await api('POST codes/preview', { goods, spec, text })));
  const take = () =>
    act(async () => {
      const body = { goods, spec, text, only_good: (preview?.faults.length ?? 0) > 0 };
      const { added, left_out } = await api('POST codes/import', body);
      write('');
      toast.success(left_out > 0 ? t('leftOut', { count: added, left: left_out }) : t('added', { count: added }));
      await Promise.all([invalidate(['stock']), invalidate(['codes']), invalidate(['goods'])]);
    });
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        void (preview ? take() : check());
      }}
      onKeyDown={(event) => {
        // The button as it stands: it may be off.
        if (isSendKey(event)) event.currentTarget.querySelector<HTMLElement>('button[type=submit]')?.click();
      }}
    >
      <h2>{t('codes')}</h2>
      <Area
        label={t('paste')}
        hint={t(goods ? 'pasteHint' : 'fileHint')}
        rows={6}
        value={text}
        onValue={write}
        spellCheck={false}
        autoComplete="off"
        required
      />
      <input
        ref={file}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        hidden
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          if (chosen) void act(async () => write(await textOf(chosen)));
          event.target.value = '';
        }}
      />
      {preview && <Preview preview={preview} />}
      {fault && <Fault>{fault}</Fault>}
      <div className="row">
        {preview ? (
          <Button type="submit" loading={busy} disabled={preview.good === 0}>
            {t(preview.faults.length > 0 ? 'takeGood' : 'takeAll', { count: preview.good })}
          </Button>
        ) : (
          <Button type="submit" loading={busy}>
            {t('check')}
          </Button>
        )}
        <Button kind="secondary" disabled={busy} onClick={() => file.current?.click()}>
          {t('file')}
        </Button>
      </div>
    </form>
  );
}

/** Throws StaffApiError for a file that is too large, or no UTF-8. */
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
        {specs.length > 1 && ` · ${specs.map((one) => `${one.goods}/${one.spec} ${one.good}`).join(' · ')}`}
      </p>
      {faults.length > 0 && (
        <Table
          title={t('wrong', { count: faults.length })}
          head={[t('line'), t('what')]}
          rows={faults.slice(0, MOST_SHOWN).map((one) => [String(one.line), what(one)])}
        />
      )}
      {faults.length > MOST_SHOWN && <p className="hint">{t('more', { count: faults.length - MOST_SHOWN })}</p>}
    </div>
  );
}
