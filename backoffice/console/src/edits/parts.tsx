import type { ShownState } from '@shop/backoffice/wire';
import type { Translate } from '@shop/shared/i18n';
import { Button, Tag, type Tone } from '@shop/shared/ui';
import { useState } from 'react';
import { useApi } from '../api';
import { ActionForm } from '../kit/action-form';
import { BackLink, Field, faultText } from '../kit/parts';
import { go } from '../location';
import { useTexts } from './texts';

interface NewItemProps<Key extends string> {
  t: Translate<Key>;
  list: string;
  title: Key;
  all: Key;
  label: Key;
  hint: Key;
  pattern: string;
  /** The key of the item that is copied. */
  original?: string;
}

export function NewItem<Key extends string>(props: NewItemProps<Key>) {
  const { t, list, title, all, label, hint, pattern, original } = props;
  const { t: text } = useTexts();
  return (
    <>
      <BackLink to={list}>{t(all)}</BackLink>
      <h1>{t(title)}</h1>
      <ActionForm
        className="card narrow"
        fields={[{ name: 'key', label, hint, pattern, maxLength: 60, spellCheck: false, required: true }]}
        t={t}
        submit={text('begin')}
        start={{ key: '' }}
        onSubmit={async ({ key }) => go([list, 'new', key, ...(original ? [original] : [])].join('/'))}
      />
    </>
  );
}

/** A random key such as `coupon-3f9c2ab1`. */
export const newKey = (kind: string): string => `${kind}-${crypto.randomUUID().slice(0, 8)}`;

const tones: Record<ShownState, Tone> = { shown: 'success', waiting: 'accent', ended: 'neutral', hidden: 'warning' };

export function StateTag({ state }: { state: ShownState }) {
  const { t } = useTexts();
  return <Tag tone={tones[state]}>{t(`state.${state}`)}</Tag>;
}

const MOST_SHOWN = 8;

export function GoodsChoice({ label, onChoose }: { label: string; onChoose(key: string): void }) {
  const { t, language } = useTexts();
  const [text, setText] = useState('');
  const words = text.trim();
  const { data, error } = useApi('GET goods', { q: words, page: 1 }, { enabled: words !== '' });
  const matches = words === '' ? [] : (data?.list.slice(0, MOST_SHOWN) ?? []);
  return (
    <div className="list">
      <Field
        label={label}
        hint={t('choice.hint')}
        type="search"
        value={text}
        onValue={setText}
        maxLength={60}
        autoComplete="off"
        onKeyDown={(event) => {
          // Enter must not submit the surrounding form.
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
        }}
      />
      <div className="row" aria-live="polite">
        {matches.map(({ key, name }) => (
          <Button
            key={key}
            kind="secondary"
            onClick={() => {
              onChoose(key);
              setText('');
            }}
          >
            {name[language]} · {key}
          </Button>
        ))}
        {words !== '' && error && <span className="fault">{faultText(error)}</span>}
        {words !== '' && data?.list.length === 0 && <span className="hint">{t('choice.none')}</span>}
      </div>
    </div>
  );
}
