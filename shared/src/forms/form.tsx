import './forms.css';
import { Formik, type FormikConfig, type FormikHelpers, type FormikValues, useFormikContext } from 'formik';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { useSingleFlight } from '../payment/use-single-flight';
import { Button, type ButtonProps } from '../ui/button';
import { Icon } from '../ui/icon';
import { FormNamespace, useMessage } from './form-text';
import { applyServerErrors, type FormStatus } from './server-errors';
import { useFormTexts } from './texts';

export interface FormProps<V extends FormikValues> {
  initialValues: V;
  /** yup schema, a module constant whose messages are keys of `forms` or of `ns`. */
  schema?: FormikConfig<V>['validationSchema'];
  /** A rejection with 40001 shows the server's messages at the fields; any other leaves the form unchanged. */
  onSubmit: (values: V, helpers: FormikHelpers<V>) => unknown | Promise<unknown>;
  children: ReactNode;
  ns?: string;
  enableReinitialize?: boolean;
  className?: string;
  id?: string;
  'aria-label'?: string;
}

export function Form<V extends FormikValues>({
  initialValues,
  schema,
  onSubmit,
  children,
  ns,
  enableReinitialize,
  ...element
}: FormProps<V>) {
  const { run } = useSingleFlight(async (values: V, helpers: FormikHelpers<V>) => {
    helpers.setStatus(undefined);
    try {
      await onSubmit(values, helpers);
    } catch (error) {
      // The HTTP client has shown every other refusal.
      if (!applyServerErrors(error, helpers) && !isRefusal(error)) throw error;
    }
  });
  return (
    <FormNamespace.Provider value={ns}>
      <Formik<V>
        initialValues={initialValues}
        validationSchema={schema}
        onSubmit={run}
        enableReinitialize={enableReinitialize}
      >
        <FormElement {...element}>{children}</FormElement>
      </Formik>
    </FormNamespace.Provider>
  );
}

const isRefusal = (error: unknown) => typeof error === 'object' && error !== null && 'code' in error;

function FormElement({ children, className, ...rest }: Pick<FormProps<FormikValues>, 'children' | 'className' | 'id'>) {
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
      className={className ? `ui-form ${className}` : 'ui-form'}
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

export interface SubmitButtonProps extends Pick<ButtonProps, 'kind' | 'size' | 'disabled' | 'icon' | 'className'> {
  children?: ReactNode;
  block?: boolean;
}

/** Full width and large by default; busy while the form is being submitted. */
export function SubmitButton({ children, block = true, size = 'l', ...rest }: SubmitButtonProps) {
  const { isSubmitting } = useFormikContext();
  const { t } = useFormTexts();
  return (
    <Button type="submit" block={block} size={size} loading={isSubmitting} {...rest}>
      {children ?? t('submit')}
    </Button>
  );
}

export function FormError({ children }: { children?: ReactNode }) {
  const { status } = useFormikContext();
  const message = useMessage();
  const text = children ?? (status as FormStatus | undefined)?.formError;
  if (!text) return null;
  return (
    <p className="ui-form__error" role="alert">
      <Icon name="alert" size={18} />
      <span>{typeof text === 'string' ? message(text) : text}</span>
    </p>
  );
}
