import type { Translate } from '@shop/shared/i18n';
import { ActForm } from '../forms/act-form';

interface KeyFormProps<Key extends string> {
  t: Translate<Key>;
  label: Key;
  hint: Key;
  pattern: string;
  submit: string;
  onKey(key: string): void;
}

/** Asks for the key of something new, which stays. */
export function KeyForm<Key extends string>({ t, label, hint, pattern, submit, onKey }: KeyFormProps<Key>) {
  const rules = { pattern, maxLength: 60, spellCheck: false, required: true };
  return (
    <ActForm
      className="card narrow"
      fields={[{ name: 'key', label, hint, ...rules }]}
      t={t}
      submit={submit}
      start={{ key: '' }}
      onSubmit={async ({ key }) => onKey(key)}
    />
  );
}
