import type { Translate } from '@shop/shared/i18n';
import { invalidate } from '@shop/shared/query';
import { Button, type ButtonProps, confirm, Dialog, toast } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { useDraft } from '../drafts';
import { go } from '../location';
import { type FieldSpec, Fields, labelOf } from './fields';
import { Form, FormFaults, type FormState, Submit, useForm, useTexts, valueAt } from './form';
import { useAction } from './parts';

/** The names of resources are those of `useApi`. */
export const refetch = (resources: readonly string[]): Promise<unknown> =>
  Promise.all(resources.map((resource) => invalidate([resource])));

interface ActionButtonProps extends Omit<ButtonProps, 'onClick' | 'loading'> {
  /** Asked before the action. */
  question?: Parameters<typeof confirm>[0];
  /** The message after a success. The resources in `changes` are refetched. */
  done?: string;
  changes?: readonly string[];
  action(): Promise<unknown>;
}

/** A button that runs an action. An error is shown as a toast. */
export function ActionButton({ question, done, changes = [], action, ...button }: ActionButtonProps) {
  const { busy, run } = useAction();
  const send = async () => {
    if (question && !(await confirm(question))) return;
    await run(async () => {
      await action();
      if (done) toast.success(done);
      await refetch(changes);
    });
  };
  return <Button kind="secondary" loading={busy} {...button} onClick={() => void send()} />;
}

interface ActionProps<T extends object, Key extends string> {
  /** They may depend on the input. */
  fields: ReadonlyArray<FieldSpec<T, Key>> | ((values: T) => ReadonlyArray<FieldSpec<T, Key>>);
  t: Translate<Key>;
  start: T;
  /** Unsent input is restored under this name when the form opens again. */
  draft?: string;
  /** The values that change after a success; absent: the form starts again from `start`. */
  onceSent?: Partial<T>;
  onceRefused?: Partial<T>;
  /** The message after a success. The resources in `changes` are refetched. */
  done?: string;
  changes?: readonly string[];
  submit: string;
  kind?: ButtonProps['kind'];
  disabled?: boolean;
  choices?: Parameters<typeof Fields>[0]['choices'];
  /** Sends the input; `false` keeps it in the form. */
  onSubmit(values: T): Promise<unknown>;
  children?: ReactNode;
}

function useActionForm<T extends object, Key extends string>(props: ActionProps<T, Key>) {
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
    await refetch(changes);
  };
  const fields = typeof props.fields === 'function' ? props.fields(values) : props.fields;
  const isBlank = fields.some(({ name, required }) => required && String(valueAt(values, name) ?? '').trim() === '');
  const label = (path: string) =>
    fields.some(({ name }) => name === path) ? undefined : (labelOf(fields, t, path) ?? path);
  const faults = <FormFaults form={form} label={label} />;
  return { form, send, fields, isBlank, faults };
}

interface ActionFormProps<T extends object, Key extends string> extends ActionProps<T, Key> {
  title?: ReactNode;
  label?: string;
  className?: string;
  layout?: string;
  icon?: ButtonProps['icon'];
  block?: boolean;
  /** Follows the submit button. */
  more?(form: FormState<T>): ReactNode;
}

export function ActionForm<T extends object, Key extends string>(props: ActionFormProps<T, Key>) {
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
      {more?.(form)}
    </Form>
  );
}

interface FormDialogProps<T extends object, Key extends string> extends ActionProps<T, Key> {
  title: string;
  onClose(): void;
  /** Another button. If it is not disabled, all required fields have values. */
  more?(form: FormState<T>, isBlank: boolean): ReactNode;
}

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

interface SearchFormProps<Key extends string> extends Omit<FieldSpec<{ words: string }, Key>, 'name'> {
  t: Translate<Key>;
  words: string;
  /** The words are appended to this place. */
  place: string;
  more?: ReactNode;
}

export const SearchForm = <Key extends string>(props: SearchFormProps<Key>) => {
  const { t, words, place, more, ...rules } = props;
  const { t: formText } = useTexts();
  return (
    <ActionForm
      key={words}
      className="card row search"
      layout="grow"
      fields={[{ kind: 'search', maxLength: 60, ...rules, name: 'words' }]}
      t={t}
      start={{ words }}
      onceSent={{}}
      submit={formText('nav.find')}
      icon="search"
      more={() => more}
      onSubmit={async (typed) => go(`${place}/${encodeURIComponent(typed.words.trim())}`)}
    />
  );
};

/** Opens `#/<page>/find/<words>`. */
export function ProductSearch({ page, words, more }: { page: string; words: string; more?: ReactNode }) {
  const { t } = useTexts();
  return <SearchForm t={t} words={words} place={`${page}/find`} label="search" hint="searchHint" more={more} />;
}
