import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react';
import { useState } from 'react';
import { IconButton } from '../ui/button';
import { Checkbox } from '../ui/choices';
import { classNames } from '../ui/class-names';
import { Icon } from '../ui/icon';
import { useFormTexts } from './texts';
import { useField } from './use-field';

export interface FieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  className?: string;
}

interface FrameProps extends Omit<FieldProps, 'name'> {
  id: string;
  noteId: string;
  error?: string;
  counter?: string;
  children: ReactNode;
  trailing?: ReactNode;
  disabled?: boolean;
}

/** Label above, control in its box, and below it one line that holds the hint or the error, so nothing moves. */
export function FieldFrame({
  id,
  noteId,
  label,
  hint,
  error,
  counter,
  children,
  trailing,
  disabled,
  className,
}: FrameProps) {
  return (
    <div className={classNames('ui-field', error && 'is-invalid', disabled && 'is-disabled', className)}>
      <label className="ui-field__label" htmlFor={id}>
        {label}
      </label>
      <div className="ui-field__box">
        {children}
        {trailing}
      </div>
      <div className="ui-field__foot">
        {/* A live region stands before its text comes, or it stays silent. */}
        <div id={noteId} className="ui-field__note" aria-live="polite">
          {error ? (
            <span className="ui-field__error">
              <Icon name="alert" size={14} />
              {error}
            </span>
          ) : (
            hint
          )}
        </div>
        {counter && <span className="ui-field__counter">{counter}</span>}
      </div>
    </div>
  );
}

/** Characters as a person counts them: an emoji is one. */
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
  /** Bounds of a date field. */
  min?: string;
  max?: string;
  disabled?: boolean;
  readOnly?: boolean;
  /** Changes what was typed or pasted before it becomes the value. */
  filter?: (text: string) => string;
  onBlur?: () => void;
}

export function TextField({
  name,
  label,
  hint,
  className,
  trailing,
  maxLength,
  filter,
  onBlur,
  ...input
}: TextFieldProps) {
  const field = useField(name);
  return (
    <FieldFrame
      {...field}
      label={label}
      hint={hint}
      className={className}
      trailing={trailing}
      disabled={input.disabled}
    >
      <input
        type="text"
        {...input}
        {...field.aria}
        id={field.id}
        name={name}
        value={field.value ?? ''}
        className="ui-field__input"
        onChange={(event) => {
          const text = filter ? filter(event.target.value) : event.target.value;
          // Characters of an input method are cut when they are composed, not before.
          field.setValue((event.nativeEvent as InputEvent).isComposing ? text : cut(text, maxLength));
        }}
        onCompositionEnd={(event) => field.setValue(cut(event.currentTarget.value, maxLength))}
        onBlur={() => {
          field.touch();
          onBlur?.();
        }}
      />
    </FieldFrame>
  );
}

/** Digits, one decimal point and a leading minus (spec section 5). */
export function numeric(text: string): string {
  const kept = text.replace(/[^\d.-]/g, '').replace(/(?!^)-/g, '');
  const point = kept.indexOf('.');
  return point < 0 ? kept : kept.slice(0, point + 1) + kept.slice(point + 1).replace(/\./g, '');
}

export interface NumberFieldProps extends Omit<TextFieldProps, 'type' | 'min' | 'max' | 'filter' | 'inputMode'> {
  min?: number;
  max?: number;
}

/** A number kept as the text that was typed; leaving the field clamps it to its bounds. */
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

export interface PasswordFieldProps extends FieldProps {
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

export interface TextAreaFieldProps extends FieldProps {
  placeholder?: string;
  maxLength?: number;
  rows?: number;
}

export function TextAreaField({ name, label, hint, className, maxLength, rows = 4, placeholder }: TextAreaFieldProps) {
  const field = useField(name);
  const count = characters(field.value ?? '').length;
  return (
    <FieldFrame
      {...field}
      label={label}
      hint={hint}
      className={className}
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

export interface SelectFieldProps extends FieldProps {
  options: ReadonlyArray<{ value: string | number; label: string; disabled?: boolean }>;
  placeholder?: string;
  disabled?: boolean;
}

/** The platform's own picker. A value that is a number in `options` stays a number in the form. */
export function SelectField({ name, label, hint, className, options, placeholder, disabled }: SelectFieldProps) {
  const { t } = useFormTexts();
  const field = useField<string | number | undefined>(name);
  const empty = field.value === '' || field.value === undefined || field.value === null;
  return (
    <FieldFrame {...field} label={label} hint={hint} className={className} disabled={disabled}>
      <select
        {...field.aria}
        id={field.id}
        name={name}
        disabled={disabled}
        value={empty ? '' : String(field.value)}
        className={classNames('ui-field__input', 'ui-field__select', empty && 'is-empty')}
        onChange={(event) => {
          const chosen = options.find((option) => String(option.value) === event.target.value);
          field.setValue(chosen ? chosen.value : '');
        }}
        onBlur={field.touch}
      >
        {!options.some((option) => option.value === '') && (
          <option value="">{placeholder ?? t('select.placeholder')}</option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-right" size={18} className="ui-field__arrow" />
    </FieldFrame>
  );
}

export interface CheckboxFieldProps {
  name: string;
  children: ReactNode;
  className?: string;
}

export function CheckboxField({ name, children, className }: CheckboxFieldProps) {
  const field = useField<boolean>(name);
  return (
    <div className={classNames('ui-field', className)}>
      <Checkbox
        {...field.aria}
        id={field.id}
        name={name}
        checked={Boolean(field.value)}
        onChange={field.setValue}
        onBlur={field.touch}
      >
        {children}
      </Checkbox>
      <div id={field.noteId} aria-live="polite" className="ui-field__note">
        {field.error && <span className="ui-field__error">{field.error}</span>}
      </div>
    </div>
  );
}
