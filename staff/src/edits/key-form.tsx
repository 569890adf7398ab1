import { Button } from '@shop/shared/ui';
import { useState } from 'react';
import { Field } from '../parts';

interface KeyFormProps {
  label: string;
  hint: string;
  pattern: string;
  submit: string;
  onKey(key: string): void;
}

/** Asks for the key of something new, which stays. */
export function KeyForm({ label, hint, pattern, submit, onKey }: KeyFormProps) {
  const [key, setKey] = useState('');
  return (
    <form
      className="card narrow"
      onSubmit={(event) => {
        event.preventDefault();
        onKey(key);
      }}
    >
      <Field
        label={label}
        hint={hint}
        value={key}
        onValue={setKey}
        pattern={pattern}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <Button type="submit">{submit}</Button>
    </form>
  );
}
