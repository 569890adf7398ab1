import type { Translate } from '@shop/shared/i18n';
import { Button, type ButtonProps, Dialog } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { type FieldSpec, Fields, labelOf } from './fields';
import { Form, FormFaults, type FormState, Submit, useForm } from './form';
import { useTexts } from './texts';
import { valueAt } from './values';

interface ActProps<T extends object, Key extends string> {
  fields: ReadonlyArray<FieldSpec<T, Key>>;
  t: Translate<Key>;
  /** What it begins with, and has again once it was sent, unless it keeps what it has. */
  start: T;
  keeps?: boolean;
  submit: string;
  kind?: ButtonProps['kind'];
  disabled?: boolean;
  onSubmit(values: T): Promise<unknown>;
  /** Between its fields and its button. */
  children?: ReactNode;
}

function useAct<T extends object, Key extends string>({ fields, t, start, keeps, onSubmit }: ActProps<T, Key>) {
  const [values, setValues] = useState(start);
  const form = useForm(values, setValues);
  const send = async () => {
    await onSubmit(values);
    if (!keeps) setValues(start);
  };
  const isBlank = fields.some(({ name, required }) => required && String(valueAt(values, name) ?? '').trim() === '');
  const label = (path: string) =>
    fields.some(({ name }) => name === path) ? undefined : (labelOf(fields, t, path) ?? path);
  const faults = <FormFaults form={form} label={label} />;
  return { form, send, isBlank, faults };
}

interface ActFormProps<T extends object, Key extends string> extends ActProps<T, Key> {
  title?: string;
  className?: string;
  /** Of its fields. */
  layout?: string;
  icon?: ButtonProps['icon'];
  choices?: Parameters<typeof Fields>[0]['choices'];
}

/** A small form that does one thing. */
export function ActForm<T extends object, Key extends string>(props: ActFormProps<T, Key>) {
  const { title, fields, t, submit, kind, icon, disabled, className, layout, choices, children } = props;
  const { form, send, faults } = useAct(props);
  return (
    <Form form={form} className={className ?? 'card'} onSubmit={send}>
      {title && <h2>{title}</h2>}
      <Fields of={fields} t={t} className={layout} choices={choices} />
      {children}
      {faults}
      <Submit form={form} kind={kind} icon={icon} disabled={disabled}>
        {submit}
      </Submit>
    </Form>
  );
}

interface FormDialogProps<T extends object, Key extends string> extends ActProps<T, Key> {
  title: string;
  onClose(): void;
  /** Another button; what is required is filled in when it is not disabled. */
  more?(form: FormState<T>, isBlank: boolean): ReactNode;
}

/** As ActForm, in a dialog; it cannot be sent while what is required is blank. */
export function FormDialog<T extends object, Key extends string>(props: FormDialogProps<T, Key>) {
  const { title, fields, t, submit, kind, disabled, onClose, more, children } = props;
  const { t: formText } = useTexts();
  const { form, send, isBlank, faults } = useAct(props);
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {formText('cancel')}
          </Button>
          {more?.(form, isBlank)}
          <Submit form={form} kind={kind} disabled={disabled || isBlank}>
            {submit}
          </Submit>
        </>
      }
    >
      <Form form={form} className="list" onSubmit={send}>
        <Fields of={fields} t={t} className="list" />
        {children}
        {faults}
      </Form>
    </Dialog>
  );
}
