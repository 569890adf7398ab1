import { useFormikContext, useField as useFormikField } from 'formik';
import { createContext, useContext, useId } from 'react';
import { i18nInstance } from '../i18n';
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
