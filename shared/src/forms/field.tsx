import { useFormikContext, useField as useFormikField } from 'formik';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { i18nInstance } from '../i18n';
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
export function useField<T = string>(name: string) {
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
export function FieldFrame({ id, noteId, label, hint, error, counter, children, trailing }: FrameProps) {
  return (
    <div className={classNames('ui-field', error && 'is-invalid')}>
      <label className="ui-field__label" htmlFor={id}>
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
