import { useFormikContext, useField as useFormikField } from 'formik';
import {
  type ChangeEvent,
  type CompositionEvent,
  createContext,
  type HTMLInputAutoCompleteAttribute,
  type ReactNode,
  useContext,
  useId,
  useState,
} from 'react';
import { plainAmount } from '../domain/plain-text';
import { i18nInstance } from '../i18n';
import { IconButton } from '../ui/button';
import { classNames } from '../ui/class-names';
import { Icon } from '../ui/icon';
import { type FormStatus, withoutServerErrors } from './server-errors';
import { useFormTexts } from './texts';

/** The namespace of the page that owns the form, searched before `forms`. */
export const FormNamespace = createContext<string | undefined>(undefined);

/**
 * Translates a schema's message: a key, with values after a question mark (`text.tooLong?max=${max}`, filled in by yup). Other
 * text, such as a server's message, is shown unchanged.
 */
export function useMessage(): (message: string) => string {
  const namespace = useContext(FormNamespace);
  useFormTexts(); // renders the message again in another language
  return (message) => {
    const [key = '', query] = message.split('?', 2);
    const ns = namespace ? [namespace, 'forms'] : ['forms'];
    if (!i18nInstance.exists(key, { ns })) return message;
    return i18nInstance.t(key, { ns, ...Object.fromEntries(new URLSearchParams(query)) });
  };
}

/** A field's value, its translated error, and the ARIA attributes that connect input, hint and error. */
function useField<T = string>(name: string) {
  const id = useId();
  const [field, meta, helpers] = useFormikField<T>(name);
  const { status, setStatus } = useFormikContext();
  const message = useMessage();
  const fromServer = (status as FormStatus | undefined)?.serverErrors?.[name];
  const raw = fromServer ?? (meta.touched ? meta.error : undefined);
  const error = raw ? message(raw) : undefined;
  const noteId = `${id}note`;
  return {
    value: field.value,
    error,
    id: `${id}input`,
    noteId,
    setValue: (value: T) => {
      if (fromServer) setStatus(withoutServerErrors(status, name));
      void helpers.setValue(value);
    },
    touch: () => void helpers.setTouched(true),
    aria: { 'aria-invalid': error ? true : undefined, 'aria-describedby': noteId } as const,
  };
}

export interface FieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
}

interface FrameProps extends Omit<FieldProps, 'name'> {
  id: string;
  noteId: string;
  error?: string;
  counter?: string;
  children: ReactNode;
  trailing?: ReactNode;
}

/** The line for the hint or the error is always rendered, so that nothing moves. */
function FieldFrame({ id, noteId, label, hint, error, counter, children, trailing }: FrameProps) {
  return (
    <div className={classNames('ui-field', error && 'is-invalid')}>
      <label className="ui-field__label ui-muted" htmlFor={id}>
        {label}
      </label>
      <div className="ui-field__box">
        {children}
        {trailing}
      </div>
      <div className="ui-field__foot">
        {/* A live region must exist before its text, or it is not announced. */}
        <div id={noteId} className="ui-field__note" aria-live="polite">
          {error ? (
            <span className="ui-field__error ui-row ui-gap-1">
              <Icon name="alert" size={14} />
              {error}
            </span>
          ) : (
            hint
          )}
        </div>
        {counter && <span className="ui-field__counter ui-digits">{counter}</span>}
      </div>
    </div>
  );
}

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

interface PasswordFieldProps extends FieldProps, Pick<TextFieldProps, 'placeholder' | 'maxLength'> {
  autoComplete?: 'current-password' | 'new-password';
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
