import type { StaffSharedCode } from '@shop/backoffice/wire';
import { plainAmount } from '@shop/shared/domain/plain-text';
import { invalidate } from '@shop/shared/query';
import { Button, Checkbox, toast } from '@shop/shared/ui';
import { useRef, useState } from 'react';
import { api, useApi } from '../api';
import { shareCodeRules } from '../generated/codes.rules';
import { isSendKey } from '../keys';
import { FormDialog } from '../kit/action-form';
import { Area, Fault, Field, Loaded, useAction } from '../kit/parts';
import { textOf } from './import-codes';
import { useTexts } from './stock-texts';

const changed = ['codes', 'stock', 'goods'];

interface Place {
  goods: string;
  spec: string;
}

/** One text for all buyers of a specification. If it is not in use, a click opens its form. */
export function SharedCode({ isShared, ...place }: Place & { isShared: boolean }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="card" aria-labelledby="shared-code">
      <h2 id="shared-code">{t('shared.title')}</h2>
      <p className="hint">{t('shared.about')}</p>
      {isShared || isOpen ? (
        <SharedCodeOf place={place} />
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

function SharedCodeOf({ place }: { place: Place }) {
  return (
    <Loaded query={useApi('GET codes/shared', { ...place })} lines={4}>
      {(code) => <SharedCodeForm place={place} code={code} />}
    </Loaded>
  );
}

/** The text is loaded on request only, because each access is audited. */
function SharedCodeForm({ place, code }: { place: Place; code: StaffSharedCode }) {
  const { t } = useTexts();
  const { shared, has_text } = code;
  const [text, setText] = useState('');
  const [stock, setStock] = useState('');
  const [isUnlimited, setUnlimited] = useState(false);
  const [isEnding, setEnding] = useState(false);
  const { busy, fault, run } = useAction({ inline: true });
  const file = useRef<HTMLInputElement>(null);
  const isCounted = shared && code.stock !== null;
  const counter = () => {
    if (isCounted) return isUnlimited ? { stock: null } : {};
    return { stock: stock === '' ? null : Number(stock) };
  };
  const save = async () => {
    const isSaved = await run(async () => {
      await api('POST codes/share', { ...place, ...(text && { text }), ...counter() });
      toast.success(t('saved'));
    });
    await Promise.all(changed.map((resource) => invalidate([resource])));
    if (!isSaved) return;
    setText('');
    setStock('');
    setUnlimited(false);
  };
  const open = () => run(async () => setText((await api('POST codes/read', { ...place })).text));
  return (
    <>
      <form
        className="list"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={(event) => {
          if (isSendKey(event)) event.currentTarget.querySelector<HTMLElement>('button[type=submit]')?.click();
        }}
      >
        {!shared && <p className="hint">{t('shared.startHint')}</p>}
        <Area
          label={t(has_text ? 'shared.newText' : 'shared.text')}
          hint={has_text ? t('shared.newTextHint') : undefined}
          rows={8}
          value={text}
          onValue={setText}
          spellCheck={false}
          autoComplete="off"
          required={!has_text}
          {...shareCodeRules.text}
        />
        <input
          ref={file}
          type="file"
          accept=".txt,.md,.csv,text/plain"
          hidden
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            if (chosen) void run(async () => setText(await textOf(chosen)));
            event.target.value = '';
          }}
        />
        {isCounted ? (
          <Checkbox checked={isUnlimited} onChange={setUnlimited}>
            {t('shared.noLimit')}
          </Checkbox>
        ) : (
          <Field
            label={t('shared.stock')}
            hint={t('shared.stockHint')}
            inputMode="numeric"
            pattern="\d+"
            filter={plainAmount}
            value={stock}
            onValue={setStock}
            {...shareCodeRules.stock}
          />
        )}
        {fault && <Fault>{fault}</Fault>}
        <div className="row">
          <Button type="submit" loading={busy}>
            {t('shared.save')}
          </Button>
          <Button kind="secondary" disabled={busy} onClick={() => file.current?.click()}>
            {t('file')}
          </Button>
          {has_text && (
            // Opening the stored text must not overwrite the input.
            <Button kind="secondary" disabled={busy || text !== ''} onClick={() => void open()}>
              {t('shared.open')}
            </Button>
          )}
          {text && (
            <Button kind="secondary" disabled={busy} onClick={() => setText('')}>
              {t('shared.clear')}
            </Button>
          )}
          {shared && (
            <Button kind="danger" disabled={busy} onClick={() => setEnding(true)}>
              {t('shared.end')}
            </Button>
          )}
        </div>
      </form>
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
