import { useFormikContext, useField as useFormikField } from 'formik';
import { useId } from 'react';
import { useMessage } from './form-text';
import { type FormStatus, withoutServerErrors } from './server-errors';

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
