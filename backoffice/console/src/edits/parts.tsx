import type { ShownState } from '@shop/backoffice/wire';
import type { Translate } from '@shop/shared/i18n';
import { Button, Tag, type Tone } from '@shop/shared/ui';
import { useState } from 'react';
import { useApi } from '../api';
import { ActionForm } from '../kit/action-form';
import { BackLink, Field, faultText } from '../kit/parts';
import { go } from '../location';
import { pairTexts } from '../pair-texts';

interface NewItemProps<Key extends string> {
  t: Translate<Key | 'all'>;
  list: string;
  title: Key;
  label: Key;
  hint: Key;
  pattern: string;
  /** The key of the item that is copied. */
  original?: string;
}

export function NewItem<Key extends string>(props: NewItemProps<Key>) {
  const { t, list, title, label, hint, pattern, original } = props;
  const { t: text } = useTexts();
  return (
    <>
      <BackLink to={list}>{t('all')}</BackLink>
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

export const { useTexts } = pairTexts('staff-edits', {
  begin: ['开始填写', 'Continue'],
  drop: ['放弃修改', 'Discard changes'],
  unsaved: ['有未保存的修改', 'Unsaved changes'],
  conflict: {
    title: ['{{name}} 已先保存了修改', '{{name}} saved changes first'],
    someone: ['其他人', 'Someone else'],
    text: [
      '核对差异后，可以保留自己的修改再保存一次，也可以改用对方的内容。两人都改过的项目，以最后保存的为准。',
      'Review the differences. Then keep your changes and save again, or use the current version. Where you both changed the same field, the last save wins.',
    ],
    theirs: ['现在的内容', 'Current'],
    mine: ['我的内容', 'Yours'],
    keep: ['保留我的修改', 'Keep my changes'],
    take: ['用现在的内容', 'Use current version'],
  },
  history: {
    title: ['修改记录', 'History'],
    empty: ['还没有修改记录', 'No changes yet'],
    made: ['新建', 'Created'],
    putBack: ['恢复修改前的内容', 'Restore'],
    putBackAsk: ['恢复修改前的内容？', 'Restore this version?'],
    putBackText: [
      '以下项目恢复为 {{time}} 之前的内容：{{fields}}。',
      'These fields go back to their values before {{time}}: {{fields}}.',
    ],
    isPutBack: ['恢复', 'Restored'],
    job: ['系统', 'System'],
    saveFirst: ['请先保存或放弃修改。', 'Save or discard your changes first.'],
  },
  state: {
    shown: ['展示中', 'Shown'],
    waiting: ['未开始', 'Not started'],
    ended: ['已结束', 'Ended'],
    hidden: ['已隐藏', 'Hidden'],
  },
  choice: {
    hint: ['输入名称或编号，再点选', 'Type a name or key, then select'],
    none: ['没有找到', 'No results'],
  },
});
