import { ErrorCode } from '@shop/shared/domain';
import { Button, type ButtonProps } from '@shop/shared/ui';
import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import { StaffApiError } from '../api';
import { isSendKey } from '../keys';
import { pairTexts } from '../pair-texts';
import { Fault, faultText } from './parts';

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Every path to a value in nested fields, such as `limits.min`. Items of lists are excluded. */
export type PathOf<T> = T extends readonly unknown[]
  ? never
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${PathOf<NonNullable<T[K]>>}` }[keyof T & string]
    : never;

export const valueAt = (values: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, step) => (isFields(at) ? at[step] : undefined), values);

/** Returns the values with a new one at the path; undefined removes the field. */
function withValue<T extends object>(values: T, path: string, value: unknown): T {
  const [step = '', ...rest] = path.split('.');
  const inner = Reflect.get(values, step);
  const next = rest.length === 0 ? value : withValue(isFields(inner) ? inner : {}, rest.join('.'), value);
  const changed = (Array.isArray(values) ? [...values] : { ...values }) as T;
  if (next === undefined) Reflect.deleteProperty(changed, step);
  else Reflect.set(changed, step, next);
  return changed;
}

/** Messages by the path of their field. */
type Faults = Readonly<Record<string, string>>;

export interface FormState<T> {
  id: string;
  values: T;
  busy: boolean;
  fault: string;
  faults: Faults;
  setAt(path: string, value: unknown): void;
  clearFaults(): void;
  /** Runs an action; messages of the server about fields appear at those fields. */
  run(work: () => Promise<unknown>): Promise<void>;
  /** Like `run`, but only if the input passes the rules of its fields. */
  submit(work: () => Promise<unknown>): void;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const elementsOf = (id: string) => [
  ...(document.getElementById(id)?.querySelectorAll<Control>('input, textarea, select') ?? []),
];
const noFaults = { busy: false, fault: '', faults: {} };

/** `tooShort` ignores values that a script has set. */
const isShort = (control: Control) =>
  !(control instanceof HTMLSelectElement) && control.value !== '' && control.value.length < control.minLength;

/** The browser accepts spaces as text. */
const isBlank = ({ required, value }: Control) => required && value.trim() === '';

/** The browser checks the range of a number only in inputs that drop characters such as a comma. */
function isOutside(control: Control, rule: 'min' | 'max'): boolean {
  const bound = control.getAttribute(rule);
  if (!bound || control.value === '' || control.getAttribute('inputmode') !== 'numeric') return false;
  return rule === 'min' ? Number(control.value) < Number(bound) : Number(control.value) > Number(bound);
}

/** A message for the browser's rules (`required`, `pattern`, …), in the language of the console; empty if none is broken. */
function brokenRule(control: Control): string {
  const { validity, willValidate } = control;
  if (!willValidate) return '';
  const rule = (name: string) => control.getAttribute(name) ?? '';
  if (validity.valueMissing || isBlank(control)) return t('fault.required');
  if (isShort(control)) return t('fault.short', { min: rule('minlength') });
  if (validity.rangeUnderflow || isOutside(control, 'min')) return t('fault.min', { min: rule('min') });
  if (validity.rangeOverflow || isOutside(control, 'max')) return t('fault.max', { max: rule('max') });
  return validity.valid ? '' : t('fault.format');
}

/** Messages of the server about fields. In an editable item, their paths begin with `value.`. */
export function faultsOf(error: unknown): Faults {
  if (!(error instanceof StaffApiError) || error.code !== ErrorCode.InvalidInput) return {};
  const errors = Object.entries(valueAt(error.data, 'errors') ?? {});
  return Object.fromEntries(errors.map(([path, text]) => [path.replace(/^value\./, ''), String(text)]));
}

/** The state of a form. Faults appear at their fields, and the first faulty field gets the focus. */
export function useForm<T extends object>(values: T, onChange: (change: (before: T) => T) => void): FormState<T> {
  const id = useId();
  const [state, setState] = useState<Pick<FormState<T>, 'busy' | 'fault' | 'faults'>>(noFaults);
  const show = (fault: string, faults: Faults) => {
    setState({ busy: false, fault, faults });
    const first = elementsOf(id).find((element) => faults[element.name]);
    first?.closest('details')?.setAttribute('open', '');
    first?.focus();
  };
  const run: FormState<T>['run'] = async (work) => {
    setState({ ...noFaults, busy: true });
    try {
      await work();
      setState(noFaults);
    } catch (error) {
      show(faultText(error), faultsOf(error));
    }
  };
  const submit: FormState<T>['submit'] = (work) => {
    if (state.busy) return;
    const broken = elementsOf(id)
      .map((control) => [control.name, brokenRule(control)])
      .filter(([, text]) => text);
    if (broken.length === 0) void run(work);
    else show(t('check'), Object.fromEntries(broken));
  };
  const setAt = (path: string, value: unknown) => {
    onChange((before) => withValue(before, path, value));
    const isOther = ([name]: [string, string]) => name !== path && !name.startsWith(`${path}.`);
    setState((now) => ({ ...now, faults: Object.fromEntries(Object.entries(now.faults).filter(isOther)) }));
  };
  return { id, values, ...state, setAt, clearFaults: () => setState(noFaults), run, submit };
}

const Context = createContext<FormState<object> | null>(null);

export function useFormState(): FormState<object> {
  const form = useContext(Context);
  if (!form) throw new Error('the field is outside a form');
  return form;
}

interface FormProps<T> {
  form: FormState<T>;
  className?: string;
  label?: string;
  onSubmit(): Promise<unknown>;
  children: ReactNode;
}

/** Ctrl Enter in any field activates its submit button. Escape leaves the field, so that the keys of the page work again. */
export function Form<T extends object>({ form, className, label, onSubmit, children }: FormProps<T>) {
  return (
    <Context value={form}>
      <form
        id={form.id}
        className={className}
        aria-label={label}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.submit(onSubmit);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') (event.target as HTMLElement).blur();
          if (!isSendKey(event)) return;
          event.preventDefault();
          // A click respects a disabled button.
          document.querySelector<HTMLElement>(`button[type=submit][form="${form.id}"]`)?.click();
        }}
      >
        {children}
      </form>
    </Context>
  );
}

interface FormFaultsProps {
  form: FormState<object>;
  /** Label of a field by its path; undefined if its message need not appear here too. */
  label(path: string): string | undefined;
}

export function FormFaults({ form: { fault, faults }, label }: FormFaultsProps) {
  const entries = Object.entries(faults).flatMap(([path, text]) => {
    const name = label(path);
    return name === undefined ? [] : [[name, text]];
  });
  const isShownAtFields = entries.length === 0 && Object.keys(faults).length > 0;
  return (
    <>
      {fault && !isShownAtFields && <Fault>{fault}</Fault>}
      {entries.length > 0 && (
        <ul className="fault">
          {entries.map(([name, text]) => (
            <li key={name}>
              {name}: {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export const Submit = ({ form, ...button }: Omit<ButtonProps, 'form'> & { form: FormState<object> }) => (
  <Button type="submit" form={form.id} loading={form.busy} {...button} />
);

export const { useTexts, t } = pairTexts('staff-forms', {
  check: ['请检查以下内容', 'Please check'],
  cancel: ['取消', 'Cancel'],
  remove: ['移除', 'Remove'],
  up: ['上移', 'Move up'],
  search: ['搜索商品', 'Search products'],
  searchHint: ['名称、别名、拼音或编号', 'Name, alias, pinyin or key'],
  zh: ['{{label}}（中文）', '{{label}} (Chinese)'],
  en: ['{{label}}（英文）', '{{label}} (English)'],
  picture: {
    choose: ['选择图片', 'Choose a picture'],
    hint: ['JPEG、PNG、WebP 或 GIF，自动裁剪为合适的大小', 'JPEG, PNG, WebP or GIF; cropped automatically'],
    none: ['没有图片', 'No picture'],
    across: ['左右位置', 'Horizontal position'],
    down: ['上下位置', 'Vertical position'],
    focus: ['裁剪时保留的位置', 'Focus of the crop'],
    remove: ['移除图片', 'Remove the picture'],
    large: ['图片超过 12 MB，请换一张。', 'The picture is larger than 12 MB. Choose another.'],
  },
  fault: {
    required: ['请填写此项', 'Required'],
    format: ['格式不正确', 'Invalid format'],
    short: ['至少 {{min}} 个字', 'Use at least {{min}} characters'],
    min: ['不能小于 {{min}}', 'Must be at least {{min}}'],
    max: ['不能大于 {{max}}', 'Must be at most {{max}}'],
  },
});
