import type { ChangeEvent, CompositionEvent, HTMLInputAutoCompleteAttribute, ReactNode } from 'react';
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
  /** Makes it a field of several lines, which counts its characters. */
  rows?: number;
  trailing?: ReactNode;
  /** Rendered before the input, in its box. */
  leading?: ReactNode;
  /** Applied to typed or pasted text before it becomes the value. */
  filter?: (text: string) => string;
  onBlur?: () => void;
}

export function TextField(props: TextFieldProps) {
  const { name, label, hint, trailing, leading, maxLength, rows, filter, onBlur, type = 'text', ...rest } = props;
  const field = useField(name);
  const value = field.value ?? '';
  const clean = (text: string) => cut(filter ? filter(text) : text, maxLength);
  const counter = rows && maxLength ? `${characters(value).length}/${maxLength}` : undefined;
  const control = {
    ...rest,
    ...field.aria,
    id: field.id,
    name,
    value,
    className: 'ui-field__input',
    onChange: ({ target, nativeEvent }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      // A filter or a cut during a composition would interrupt the input method.
      field.setValue((nativeEvent as InputEvent).isComposing ? target.value : clean(target.value)),
    onCompositionEnd: ({ currentTarget }: CompositionEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      field.setValue(clean(currentTarget.value)),
    onBlur: () => {
      field.touch();
      onBlur?.();
    },
  };
  return (
    <FieldFrame {...field} label={label} hint={hint} counter={counter} trailing={trailing}>
      {leading}
      {rows ? <textarea rows={rows} {...control} /> : <input type={type} {...control} />}
    </FieldFrame>
  );
}
