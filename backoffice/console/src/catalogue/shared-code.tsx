import type { StaffSharedCode } from '@shop/backoffice/wire';
import { Button } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from '../api';
import { shareCodeRules } from '../generated/field-rules';
import { ActionButton, ActionForm, refetch } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import type { FormState } from '../kit/form';
import { Loaded, Section } from '../kit/parts';
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
    <Section className="card" title={t('shared.title')}>
      <p className="hint">{t('shared.about')}</p>
      {isShared || isOpen ? (
        <Loaded query={query}>{(code) => <SharedCodeForm place={place} code={code} />}</Loaded>
      ) : (
        <div className="row">
          <Button kind="secondary" onClick={() => setOpen(true)}>
            {t('shared.start')}
          </Button>
        </div>
      )}
    </Section>
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
  const isCounted = shared && code.stock !== null;
  const question = { title: t('shared.endAsk'), content: t('shared.endText'), danger: true };
  const save = ({ text, stock, isUnlimited }: Input) => {
    const limit = isUnlimited ? { stock: null } : !isCounted && { stock };
    return api('POST codes/share', { ...place, ...(text && { text }), ...limit }).finally(() => refetch(changed));
  };
  const more = ({ busy, values, setAt }: FormState<Input>) => (
    <div className="row">
      {has_text && (
        // Opening the stored text must not overwrite the input.
        <ActionButton
          disabled={busy || values.text !== ''}
          action={async () => setAt('text', (await api('POST codes/read', { ...place })).text)}
        >
          {t('shared.open')}
        </ActionButton>
      )}
      {shared && (
        <ActionButton
          kind="danger"
          question={{ ...question, confirmText: t('shared.end') }}
          action={() => api('POST codes/unshare', { ...place })}
          done={t('shared.ended')}
          changes={changed}
        >
          {t('shared.end')}
        </ActionButton>
      )}
    </div>
  );
  return (
    <>
      {!shared && <p className="hint">{t('shared.startHint')}</p>}
      <ActionForm
        className="list"
        layout="list"
        fields={[textField(has_text), isCounted ? noLimit : counter]}
        t={t}
        start={noInput}
        submit={t('shared.save')}
        done={t('saved')}
        onSubmit={save}
        more={more}
      />
    </>
  );
}
