import {
  type ChangeEvent,
  type CompositionEvent,
  type HTMLInputAutoCompleteAttribute,
  type ReactNode,
  useState,
} from 'react';
import { plainAmount } from '../domain/plain-text';
import { IconButton } from '../ui/button';
import { classNames } from '../ui/class-names';
import { Icon } from '../ui/icon';
import { FieldFrame, type FieldProps, useField } from './field';
import { useFormTexts } from './texts';

/** Splits into code points: an emoji is one character. */
const characters = (text: string) => [...text];
const cut = (text: string, maxLength?: number) =>
  maxLength === undefined ? text : characters(text).slice(0, maxLength).join('');

interface TextFieldProps extends FieldProps {
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

/** Digits, one decimal point and a leading minus (docs/product.md#forms). */
function numeric(text: string): string {
  const digits = plainAmount(text)
    .replace(/[^\d.,-]/g, '')
    .replace(/(?!^)-/g, '')
    .replace(/^(-?\d+),$/, '$1.');
  const point = digits.indexOf('.');
  return point < 0 ? digits : digits.slice(0, point + 1) + digits.slice(point + 1).replace(/\./g, '');
}

interface NumberFieldProps extends Omit<TextFieldProps, 'type' | 'filter' | 'inputMode'> {
  min?: number;
  max?: number;
}

export function NumberField({ name, min, max, ...rest }: NumberFieldProps) {
  const field = useField(name);
  const clamp = () => {
    const text = field.value ?? '';
    const value = Number(text);
    if (text === '' || Number.isNaN(value)) return;
    if (min !== undefined && value < min) field.setValue(String(min));
    if (max !== undefined && value > max) field.setValue(String(max));
  };
  return <TextField {...rest} name={name} inputMode="decimal" autoComplete="off" filter={numeric} onBlur={clamp} />;
}

interface PasswordFieldProps extends FieldProps {
  autoComplete?: 'current-password' | 'new-password';
  placeholder?: string;
  maxLength?: number;
}

export function PasswordField({ autoComplete = 'current-password', ...rest }: PasswordFieldProps) {
  const { t } = useFormTexts();
  const [visible, setVisible] = useState(false);
  return (
    <TextField
      {...rest}
      type={visible ? 'text' : 'password'}
      autoComplete={autoComplete}
      trailing={
        <IconButton
          icon={visible ? 'eye-off' : 'eye'}
          size={20}
          label={t(visible ? 'password.hide' : 'password.show')}
          onClick={() => setVisible(!visible)}
        />
      }
    />
  );
}

interface SelectFieldProps extends FieldProps {
  options: ReadonlyArray<{ value: string; label: string }>;
  placeholder?: string;
}

/** A native select; '' while nothing is chosen. */
export function SelectField({ name, label, hint, options, placeholder }: SelectFieldProps) {
  const { t } = useFormTexts();
  const field = useField<string | undefined>(name);
  const value = field.value ?? '';
  return (
    <FieldFrame {...field} label={label} hint={hint}>
      <select
        {...field.aria}
        id={field.id}
        name={name}
        value={value}
        className={classNames('ui-field__input', 'ui-field__select', !value && 'is-empty')}
        onChange={(event) => field.setValue(event.target.value)}
        onBlur={field.touch}
      >
        <option value="">{placeholder ?? t('select.placeholder')}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-right" size={18} className="ui-field__arrow" />
    </FieldFrame>
  );
}
