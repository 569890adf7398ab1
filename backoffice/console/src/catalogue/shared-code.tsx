import type { StaffSharedCode } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { invalidate } from '@shop/shared/query';
import { Button, Checkbox, toast } from '@shop/shared/ui';
import { useRef, useState } from 'react';
import { api, useApi } from '../api';
import { shareCodeRules } from '../generated/codes.rules';
import { isSendKey } from '../keys';
import { FormDialog } from '../kit/act-form';
import { Area, Fault, Field, Loaded, useAction } from '../kit/parts';
import { textOf } from './import-codes';
import { useTexts } from './stock-texts';

const changed = ['codes', 'stock', 'goods'];

interface Place {
  goods: string;
  spec: string;
}

/** One text for all buyers of a value. Where it is not in use, its form comes with a press. */
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

/** No text is there before somebody asks for it, which is recorded. */
function SharedCodeForm({ place, code }: { place: Place; code: StaffSharedCode }) {
  const { t } = useTexts();
  const { shared, versions, held } = code;
  const [text, setText] = useState('');
  const [newest, setNewest] = useState<boolean>();
  const [stock, setStock] = useState('');
  const [isUnlimited, setUnlimited] = useState(false);
  const [isEnding, setEnding] = useState(false);
  const { busy, fault, run } = useAction({ inline: true });
  const file = useRef<HTMLInputElement>(null);
  const seen = versions[0]?.version ?? 0;
  const isCounted = shared && code.stock !== null;
  const counter = () => {
    if (isCounted) return isUnlimited ? { stock: null } : {};
    return { stock: stock === '' ? null : Number(stock) };
  };
  const save = async () => {
    const isSaved = await run(async () => {
      const shows_newest = newest ?? code.shows_newest;
      await api('POST codes/share', { ...place, seen, ...(text && { text }), shows_newest, ...counter() });
      toast.success(t('saved'));
    });
    // What somebody else has changed meanwhile shows; what was typed stays.
    await Promise.all(changed.map((resource) => invalidate([resource])));
    if (!isSaved) return;
    setText('');
    setNewest(undefined);
    setStock('');
    setUnlimited(false);
  };
  const open = (version: number) =>
    run(async () => setText((await api('POST codes/read', { ...place, version })).text));
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
          label={t(seen ? 'shared.newText' : 'shared.text')}
          hint={seen ? t('shared.newTextHint') : undefined}
          rows={8}
          value={text}
          onValue={setText}
          spellCheck={false}
          autoComplete="off"
          required={!seen}
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
        <Checkbox checked={newest ?? code.shows_newest} onChange={setNewest}>
          {t('shared.newest')}
        </Checkbox>
        {isCounted ? (
          <Checkbox checked={isUnlimited} onChange={setUnlimited}>
            {t('shared.noLimit')}
          </Checkbox>
        ) : (
          <Field
            label={t('shared.stock')}
            hint={t('shared.stockHint')}
            type="number"
            inputMode="numeric"
            step={1}
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
        {held > 0 && <p className="hint">{t('shared.held', { count: held })}</p>}
        {versions.length > 0 && <h3>{t('shared.versions')}</h3>}
        <ul className="list">
          {versions.map(({ version, written_by, written_at, sold }) => (
            <li key={version} className="row">
              <p className="grow">
                <strong>{t('shared.version', { version })}</strong> · {t('shared.sold', { count: sold })}
                <br />
                <span className="hint">
                  {formatDate(written_at)} · {written_by}
                </span>
              </p>
              <Button
                kind="secondary"
                aria-label={t('shared.openVersion', { version })}
                // What was typed is not overwritten.
                disabled={busy || text !== ''}
                onClick={() => void open(version)}
              >
                {t('shared.open')}
              </Button>
            </li>
          ))}
        </ul>
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
