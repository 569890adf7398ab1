import type { Translate } from '@shop/shared/i18n';
import { type ReactNode, useState } from 'react';
import { ActForm } from '../forms/act-form';
import { BackLink } from '../parts';

interface NewItemProps<Key extends string> {
  t: Translate<Key>;
  /** Address of the list. */
  list: string;
  title: Key;
  all: Key;
  label: Key;
  hint: Key;
  pattern: string;
  submit: Key;
  /** The form of what is new. */
  children(key: string): ReactNode;
}

/** Asks for the key of something new, which stays, and then for the rest. */
export function NewItem<Key extends string>(props: NewItemProps<Key>) {
  const { t, list, title, all, label, hint, pattern, submit, children } = props;
  const [key, setKey] = useState('');
  if (key) return children(key);
  return (
    <>
      <BackLink to={list}>{t(all)}</BackLink>
      <h1>{t(title)}</h1>
      <ActForm
        className="card narrow"
        fields={[{ name: 'key', label, hint, pattern, maxLength: 60, spellCheck: false, required: true }]}
        t={t}
        submit={t(submit)}
        start={{ key: '' }}
        onSubmit={async (chosen) => setKey(chosen.key)}
      />
    </>
  );
}
