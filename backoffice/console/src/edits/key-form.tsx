import type { Translate } from '@shop/shared/i18n';
import { ActionForm } from '../kit/action-form';
import { BackLink } from '../kit/parts';
import { go } from '../location';
import { t as text } from './texts';

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
export const newKey = (kind: string): string =>
  `${kind}-${[...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
