import type { StaffSharedCode } from '@shop/backoffice/wire';
import { invalidate } from '@shop/shared/query';
import { Button, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from '../api';
import { shareCodeRules } from '../generated/codes.rules';
import { FormDialog } from '../kit/action-form';
import { type FieldSpec, Fields } from '../kit/fields';
import { FileButton } from '../kit/file-button';
import { Form, FormFaults, Submit, useForm } from '../kit/form';
import { Loaded } from '../kit/parts';
import { textOf } from './import-codes';
import { type Key, useTexts } from './stock-texts';

const changed = ['codes', 'stock', 'goods'];

interface Place {
  goods: string;
  spec: string;
}

/** One text for all buyers of a specification. If it is not in use, a click opens its form. */
export function SharedCode({ isShared, ...place }: Place & { isShared: boolean }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const query = useApi('GET codes/shared', { ...place }, { enabled: isShared || isOpen });
  return (
    <section className="card" aria-labelledby="shared-code">
      <h2 id="shared-code">{t('shared.title')}</h2>
      <p className="hint">{t('shared.about')}</p>
      {isShared || isOpen ? (
        <Loaded query={query} lines={4}>
          {(code) => <SharedCodeForm place={place} code={code} />}
        </Loaded>
      ) : (
        <div className="row">
          <Button kind="secondary" onClick={() => setOpen(true)}>
            {t('shared.start')}
          </Button>
        </div>
      )}
    </section>
  );
}

const noInput = { text: '', stock: null as number | null, isUnlimited: false };
type Input = typeof noInput;

const textField = (hasText: boolean): FieldSpec<Input, Key> => ({
  kind: 'area',
  name: 'text',
  label: hasText ? 'shared.newText' : 'shared.text',
  hint: hasText ? 'shared.newTextHint' : undefined,
  rows: 8,
  spellCheck: false,
  ...shareCodeRules.text,
  required: !hasText,
});
const counter: FieldSpec<Input, Key> = {
  kind: 'number',
  name: 'stock',
  label: 'shared.stock',
  hint: 'shared.stockHint',
  ...shareCodeRules.stock,
};
const noLimit: FieldSpec<Input, Key> = { kind: 'check', name: 'isUnlimited', label: 'shared.noLimit' };

/** The text is loaded on request only, because each access is audited. */
function SharedCodeForm({ place, code }: { place: Place; code: StaffSharedCode }) {
  const { t } = useTexts();
  const { shared, has_text } = code;
  const [values, setValues] = useState(noInput);
  const [isEnding, setEnding] = useState(false);
  const form = useForm(values, setValues);
  const { text, stock, isUnlimited } = values;
  const setText = (text: string) => form.setAt('text', text);
  const isCounted = shared && code.stock !== null;
  const save = async () => {
    const limit = isUnlimited ? { stock: null } : !isCounted && { stock };
    try {
      await api('POST codes/share', { ...place, ...(text && { text }), ...limit });
      toast.success(t('saved'));
      setValues(noInput);
    } finally {
      await Promise.all(changed.map((resource) => invalidate([resource])));
    }
  };
  const open = () => form.run(async () => setText((await api('POST codes/read', { ...place })).text));
  return (
    <>
      <Form form={form} className="list" onSubmit={save}>
        {!shared && <p className="hint">{t('shared.startHint')}</p>}
        <Fields of={[textField(has_text), isCounted ? noLimit : counter]} t={t} className="list" />
        <FormFaults form={form} label={() => undefined} />
        <div className="row">
          <Submit form={form}>{t('shared.save')}</Submit>
          <FileButton
            accept=".txt,.md,.csv,text/plain"
            disabled={form.busy}
            onFile={(file) => void form.run(async () => setText(await textOf(file)))}
          >
            {t('file')}
          </FileButton>
          {has_text && (
            // Opening the stored text must not overwrite the input.
            <Button kind="secondary" disabled={form.busy || text !== ''} onClick={() => void open()}>
              {t('shared.open')}
            </Button>
          )}
          {shared && (
            <Button kind="danger" disabled={form.busy} onClick={() => setEnding(true)}>
              {t('shared.end')}
            </Button>
          )}
        </div>
      </Form>
      {isEnding && (
        <FormDialog
          title={t('shared.endAsk')}
          fields={[]}
          t={t}
          start={{}}
          submit={t('shared.end')}
          kind="danger"
          done={t('shared.ended')}
          changes={changed}
          onClose={() => setEnding(false)}
          onSubmit={async () => {
            await api('POST codes/unshare', { ...place });
            setEnding(false);
          }}
        >
          <p>{t('shared.endText')}</p>
        </FormDialog>
      )}
    </>
  );
}
