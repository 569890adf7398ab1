import type { Translate } from '@shop/shared/i18n';
import type { ReactNode } from 'react';
import { ActionForm } from './action-form';
import type { FieldSpec } from './fields';

interface SearchFormProps<Key extends string> extends Omit<FieldSpec<{ words: string }, Key>, 'name'> {
  t: Translate<Key>;
  words: string;
  submit: string;
  onSearch(words: string): void;
  more?: ReactNode;
}

export const SearchForm = <Key extends string>(props: SearchFormProps<Key>) => {
  const { t, words, submit, onSearch, more, ...rules } = props;
  return (
    <ActionForm
      key={words}
      className="card row search"
      layout="grow"
      fields={[{ kind: 'search', maxLength: 60, ...rules, name: 'words' }]}
      t={t}
      start={{ words }}
      onceSent={{}}
      submit={submit}
      icon="search"
      more={() => more}
      onSubmit={async (typed) => onSearch(typed.words.trim())}
    />
  );
};
