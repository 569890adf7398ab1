import type { Translate } from '@shop/shared/i18n';
import { invalidate } from '@shop/shared/query';
import { Button, type ButtonProps, Dialog, toast } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { useDraft } from '../drafts';
import { type FieldSpec, Fields, labelOf } from './fields';
import { Form, FormFaults, type FormState, Submit, useForm } from './form';
import { useTexts } from './forms-texts';
import { valueAt } from './values';

interface ActProps<T extends object, Key extends string> {
  /** Also by what is filled in. */
  fields: ReadonlyArray<FieldSpec<T, Key>> | ((values: T) => ReadonlyArray<FieldSpec<T, Key>>);
  t: Translate<Key>;
  /** What it begins with. */
  start: T;
  /** Unsent input is there again under this name when the form is opened again. */
  draft?: string;
  /** What changes in it once it was sent; without this it begins anew. */
  onceSent?: Partial<T>;
  onceRefused?: Partial<T>;
  /** What is said once it was sent, and the resources that are asked for anew. */
  done?: string;
  changes?: readonly string[];
  submit: string;
  kind?: ButtonProps['kind'];
  disabled?: boolean;
  choices?: Parameters<typeof Fields>[0]['choices'];
  /** Sends it; false leaves it as it is. */
  onSubmit(values: T): Promise<unknown>;
  /** Between its fields and its button. */
  children?: ReactNode;
}

function useActionForm<T extends object, Key extends string>(props: ActProps<T, Key>) {
  const { t, start, draft, onceSent, onceRefused, done, changes = [], onSubmit } = props;
  const [values, setValues] = useDraft(draft, start, (now) => JSON.stringify(now) !== JSON.stringify(start));
  const form = useForm(values, setValues);
  const send = async () => {
    const isSent = await onSubmit(values).catch((error) => {
      setValues({ ...values, ...onceRefused });
      throw error;
    });
    if (isSent === false) return;
    setValues(onceSent ? { ...values, ...onceSent } : start);
    if (done) toast.success(done);
    await Promise.all(changes.map((resource) => invalidate([resource])));
  };
  const fields = typeof props.fields === 'function' ? props.fields(values) : props.fields;
  const isBlank = fields.some(({ name, required }) => required && String(valueAt(values, name) ?? '').trim() === '');
  const label = (path: string) =>
    fields.some(({ name }) => name === path) ? undefined : (labelOf(fields, t, path) ?? path);
  const faults = <FormFaults form={form} label={label} />;
  return { form, send, fields, isBlank, faults };
}

interface ActFormProps<T extends object, Key extends string> extends ActProps<T, Key> {
  /** A text is its heading. */
  title?: ReactNode;
  /** Its name where no heading says it. */
  label?: string;
  className?: string;
  /** Of its fields. */
  layout?: string;
  icon?: ButtonProps['icon'];
  block?: boolean;
  /** Other buttons. */
  more?: ReactNode;
}

/** A small form that does one thing. */
export function ActForm<T extends object, Key extends string>(props: ActFormProps<T, Key>) {
  const { title, label, t, submit, kind, icon, block, disabled, className, layout, choices, children, more } = props;
  const { form, send, fields, faults } = useActionForm(props);
  const isText = typeof title === 'string';
  return (
    <Form form={form} className={className ?? 'card'} label={isText ? title : label} onSubmit={send}>
      {isText ? <h2>{title}</h2> : title}
      <Fields of={fields} t={t} className={layout} choices={choices} />
      {children}
      {faults}
      <Submit form={form} kind={kind} icon={icon} block={block} disabled={disabled}>
        {submit}
      </Submit>
      {more}
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
  const { title, t, submit, kind, disabled, onClose, more, children } = props;
  const { t: formText } = useTexts();
  const { form, send, fields, isBlank, faults } = useActionForm(props);
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
