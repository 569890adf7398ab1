import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react';
import { FieldFrame, type FieldProps } from './field-frame';
import { useField } from './use-field';

/** Splits into code points: an emoji is one character. */
const characters = (text: string) => [...text];
const cut = (text: string, maxLength?: number) =>
  maxLength === undefined ? text : characters(text).slice(0, maxLength).join('');

export interface TextFieldProps extends FieldProps {
  type?: 'text' | 'tel' | 'email' | 'url' | 'search' | 'date' | 'password';
  inputMode?: 'text' | 'numeric' | 'decimal' | 'tel' | 'email' | 'search' | 'url';
  autoComplete?: HTMLInputAutoCompleteAttribute;
  placeholder?: string;
  /** In characters. */
  maxLength?: number;
  trailing?: ReactNode;
  /** Rendered before the input, in its box. */
  leading?: ReactNode;
  /** Applied to typed or pasted text before it becomes the value. */
  filter?: (text: string) => string;
  onBlur?: () => void;
}

export function TextField(props: TextFieldProps) {
  const { name, label, hint, trailing, leading, maxLength, filter, onBlur, ...input } = props;
  const field = useField(name);
  const clean = (text: string) => cut(filter ? filter(text) : text, maxLength);
  return (
    <FieldFrame {...field} label={label} hint={hint} trailing={trailing}>
      {leading}
      <input
        type="text"
        {...input}
        {...field.aria}
        id={field.id}
        name={name}
        value={field.value ?? ''}
        className="ui-field__input"
        onChange={({ target, nativeEvent }) =>
          // A filter or a cut during a composition would interrupt the input method.
          field.setValue((nativeEvent as InputEvent).isComposing ? target.value : clean(target.value))
        }
        onCompositionEnd={({ currentTarget }) => field.setValue(clean(currentTarget.value))}
        onBlur={() => {
          field.touch();
          onBlur?.();
        }}
      />
    </FieldFrame>
  );
}

interface TextAreaFieldProps extends FieldProps {
  placeholder?: string;
  maxLength?: number;
  rows?: number;
}

export function TextAreaField({ name, label, hint, maxLength, rows = 4, placeholder }: TextAreaFieldProps) {
  const field = useField(name);
  const count = characters(field.value ?? '').length;
  return (
    <FieldFrame
      {...field}
      label={label}
      hint={hint}
      counter={maxLength === undefined ? undefined : `${count}/${maxLength}`}
    >
      <textarea
        {...field.aria}
        id={field.id}
        name={name}
        rows={rows}
        placeholder={placeholder}
        value={field.value ?? ''}
        className="ui-field__input"
        onChange={(event) => {
          const text = event.target.value;
          field.setValue((event.nativeEvent as InputEvent).isComposing ? text : cut(text, maxLength));
        }}
        onCompositionEnd={(event) => field.setValue(cut(event.currentTarget.value, maxLength))}
        onBlur={field.touch}
      />
    </FieldFrame>
  );
}
