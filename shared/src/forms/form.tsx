import './forms.css';
import { Formik, type FormikConfig, type FormikHelpers, type FormikValues, useFormikContext } from 'formik';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSingleFlight } from '../payment/use-single-flight';
import { Button, type ButtonProps } from '../ui/button';
import { classNames } from '../ui/class-names';
import { Icon } from '../ui/icon';
import { FormNamespace, useMessage } from './fields';
import { applyServerErrors, type FormStatus } from './server-errors';

interface FormProps<V extends FormikValues> {
  initialValues: V;
  /** yup schema, a module constant whose messages are keys of `forms` or of `ns`. */
  schema?: FormikConfig<V>['validationSchema'];
  /** A rejection with 40001 shows the server's messages at the fields; any other leaves the form unchanged. */
  onSubmit: (values: V, helpers: FormikHelpers<V>) => unknown | Promise<unknown>;
  children: ReactNode;
  ns?: string;
  className?: string;
  'aria-label'?: string;
}

export function Form<V extends FormikValues>({
  initialValues,
  schema,
  onSubmit,
  children,
  ns,
  ...element
}: FormProps<V>) {
  const { run } = useSingleFlight(async (values: V, helpers: FormikHelpers<V>) => {
    helpers.setStatus(undefined);
    try {
      await onSubmit(values, helpers);
    } catch (error) {
      // The HTTP client has shown every other refusal.
      if (!applyServerErrors(error, helpers)) throw error;
    }
  });
  return (
    <FormNamespace.Provider value={ns}>
      <Formik<V> initialValues={initialValues} validationSchema={schema} onSubmit={run}>
        <FormElement {...element}>{children}</FormElement>
      </Formik>
    </FormNamespace.Provider>
  );
}

function FormElement({ children, className, ...rest }: Pick<FormProps<FormikValues>, 'children' | 'className'>) {
  const form = useRef<HTMLFormElement>(null);
  const { handleSubmit, submitCount, isSubmitting, isValid, status } = useFormikContext();
  const validations = useRef(0);
  const bad = !isValid || Boolean((status as FormStatus | undefined)?.serverErrors);
  useEffect(() => {
    if (isSubmitting || submitCount === validations.current) return;
    validations.current = submitCount;
    if (bad) showField(form.current?.querySelector<HTMLElement>('[aria-invalid="true"]'));
  }, [isSubmitting, submitCount, bad]);
  return (
    <form
      ref={form}
      noValidate
      // Without scripts nothing is sent: a GET would put the input into the address.
      method="dialog"
      className={classNames('ui-form', className)}
      onSubmit={handleSubmit}
      {...rest}
    >
      {children}
    </form>
  );
}

/** Scrolls to the middle of the screen, where neither a bar nor a phone's keyboard covers the field or its error. */
function showField(field: HTMLElement | null | undefined): void {
  field?.focus({ preventScroll: true });
  const calm = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
  field?.scrollIntoView?.({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
}

type SubmitButtonProps = Pick<ButtonProps, 'kind' | 'size' | 'disabled' | 'children'>;

/** Full width; busy while the form is being submitted. */
export function SubmitButton({ size = 'l', ...rest }: SubmitButtonProps) {
  const { isSubmitting } = useFormikContext();
  return <Button type="submit" block size={size} loading={isSubmitting} {...rest} />;
}

export function FormError() {
  const { status } = useFormikContext();
  const message = useMessage();
  const text = (status as FormStatus | undefined)?.formError;
  if (!text) return null;
  return (
    <p className="ui-form__error ui-tone--danger ui-row ui-gap-2" role="alert">
      <Icon name="alert" size={18} />
      <span>{message(text)}</span>
    </p>
  );
}
