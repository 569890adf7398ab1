import { languages } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { plainAmount } from '@shop/shared/domain/plain-text';
import type { Translate } from '@shop/shared/i18n';
import { Checkbox } from '@shop/shared/ui';
import type { InputHTMLAttributes, ReactNode } from 'react';
import { useState } from 'react';
import { instantAt, shopTime } from '../shop-time';
import { PictureField, type PictureKind } from './files';
import { t as formText, type PathOf, useFormState, useTexts, valueAt } from './form';
import { type Column, TableOf } from './list-table';
import { Field, type FieldProps, Select } from './parts';

type Rules = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'required'
  | 'readOnly'
  | 'minLength'
  | 'maxLength'
  | 'pattern'
  | 'autoComplete'
  | 'autoFocus'
  | 'inputMode'
  | 'spellCheck'
  | 'placeholder'
>;

export interface FieldSpec<T extends object, Key extends string> extends Rules {
  name: PathOf<T>;
  label: Key;
  values?: Record<string, string>;
  hint?: Key;
  /**
   * Without it: text. `texts`: in both languages, of several lines if it has `rows`; if `optional`, null without any text. `price`:
   * absent if empty. `number`: null if empty, or 0 with `blankZero`. `list`: a list that is edited as text. `time`: ISO 8601, null
   * if empty.
   */
  kind?:
    | 'password'
    | 'date'
    | 'search'
    | 'number'
    | 'price'
    | 'area'
    | 'texts'
    | 'select'
    | 'check'
    | 'list'
    | 'time'
    | 'picture';
  min?: number;
  max?: number;
  rows?: number;
  blankZero?: boolean;
  /** The field of an empty text is omitted. */
  optional?: boolean;
  options?: Readonly<Partial<Record<Key, string | number>>>;
  list?: { parse(text: string): unknown[]; format(value: unknown): string };
  picture?: PictureKind;
  /** Path of another value that changes with this one as long as both are the same. */
  twin?: PathOf<T>;
  filter?(text: string): string;
  'data-autofocus'?: boolean;
}

/** The comma of a number that is still being typed becomes its decimal point at once. */
const typedAmount = (text: string) => plainAmount(text).replace(/^(\d+),$/, '$1.');

export const currencyOptions = currencies.map((value) => ({ value, label: value }));
export type Choices = Readonly<Record<string, ReadonlyArray<{ value: string | number; label: string }>>>;

interface FieldsProps<T extends object, Key extends string> {
  of: ReadonlyArray<FieldSpec<T, Key>>;
  t: Translate<Key>;
  at?: string;
  choices?: Choices;
  className?: string;
  /** Called instead of setting the value. */
  onSet?(value: unknown): void;
}

/** A field of several lines has at least this height, also if its text is shorter. */
const FEWEST_ROWS = 2;
const wide: ReadonlyArray<string | undefined> = ['area', 'texts', 'check', 'list', 'picture'];

export function Fields<T extends object, Key extends string>(props: FieldsProps<T, Key>) {
  const { of, t, at, choices = {}, className, onSet } = props;
  return (
    <div className={className ?? 'pair'}>
      {of.map((spec) => (
        <div key={spec.name} className={wide.includes(spec.kind) ? 'wide' : undefined}>
          <FieldOf spec={spec} t={t} at={at} choices={choices[spec.name]} onSet={onSet} />
        </div>
      ))}
    </div>
  );
}

interface FieldTableProps<T extends object, Key extends string> extends Pick<FieldsProps<T, Key>, 'of' | 't'> {
  label: string;
  head: string;
  name: string;
  rows: readonly string[];
}

export function FieldTable<T extends object, Key extends string>(props: FieldTableProps<T, Key>) {
  const { of, t, label, head, name, rows } = props;
  const columns: Column<string>[] = [
    { head, cell: (row) => row },
    ...of.map(
      (spec): Column<string> => ({
        head: t(spec.label, spec.values),
        cell: (row, index) => <FieldOf spec={spec} t={t} row={row} at={`${name}.${index}`} />,
      }),
    ),
  ];
  return <TableOf label={label} columns={columns} rows={rows} keyOf={(_row, index) => index} />;
}

interface FieldOfProps<T extends object, Key extends string> extends Pick<FieldsProps<T, Key>, 't' | 'at' | 'onSet'> {
  spec: FieldSpec<T, Key>;
  row?: string;
  choices?: Choices[string];
}

function FieldOf<T extends object, Key extends string>(props: FieldOfProps<T, Key>): ReactNode {
  const { spec, t, row, at, choices, onSet } = props;
  const { values, faults, setAt } = useFormState();
  const {
    name,
    label,
    values: labelValues,
    hint,
    kind,
    rows,
    blankZero,
    optional,
    options,
    list,
    picture,
    twin,
    filter,
    ...rules
  } = spec;
  const pathOf = (field: string) => (at ? `${at}.${field}` : field);
  const path = pathOf(name);
  const value = valueAt(values, path);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const set = (next: unknown) => {
    if (onSet) return onSet(next);
    const twinPath = twin && pathOf(twin);
    if (twinPath && (valueAt(values, twinPath) ?? '') === (value ?? '')) setAt(twinPath, next);
    setAt(path, next);
  };
  // Staff do not fill in their own data, except passwords, so the browser must not suggest it.
  const shared = {
    autoComplete: 'off',
    name: path,
    label: row ? `${row} · ${t(label, labelValues)}` : t(label, labelValues),
    hint: hint && t(hint),
    fault: faults[path],
  };
  const note = shared.hint && <p className="hint">{shared.hint}</p>;
  switch (kind) {
    case 'check':
      return (
        <>
          <Checkbox checked={value === true} onChange={set}>
            {shared.label}
          </Checkbox>
          {note}
        </>
      );
    case 'select': {
      const offered = Object.entries(options ?? {}) as Array<[Key, string | number]>;
      const all = choices ?? offered.map(([key, value]) => ({ value, label: t(key) }));
      return <Select<string | number> {...shared} value={text} options={all} onValue={set} />;
    }
    case 'number': {
      const blank = blankZero ? 0 : null;
      // A text that is no whole number stays as it is, and the pattern refuses it.
      const write = (typed: string) => set(typed === '' ? blank : /^-?\d{1,15}$/.test(typed) ? Number(typed) : typed);
      const input = { ...rules, inputMode: 'numeric', pattern: '-?\\d+', filter: plainAmount } as const;
      return <Field {...shared} {...input} value={value === blank ? '' : text} onValue={write} />;
    }
    case 'texts':
      return (
        <>
          <InBoth {...rules} label={shared.label} path={path} rows={rows} nullable={optional} />
          {note}
        </>
      );
    case 'area':
      return <Field {...shared} {...rules} rows={rows ?? FEWEST_ROWS} value={text} onValue={set} />;
    case 'list':
      return list ? (
        <ListArea {...shared} value={list.format(value)} onValue={(typed) => set(list.parse(typed))} />
      ) : null;
    case 'time': {
      const write = (typed: string) => set(instantAt(typed));
      return <Field {...shared} {...rules} type="datetime-local" value={text && shopTime(text)} onValue={write} />;
    }
    case 'picture': {
      const write = (url: string) => set(optional ? url || null : url);
      return <PictureField {...shared} kind={picture ?? 'items'} value={text} onValue={write} />;
    }
    default: {
      const isPrice = kind === 'price';
      const input = { ...rules, ...(isPrice ? ({ inputMode: 'decimal' } as const) : { type: kind }) };
      const clean = filter ?? (input.inputMode === 'decimal' ? typedAmount : undefined);
      const write = (typed: string) => set(typed || (optional || isPrice ? undefined : ''));
      return <Field {...shared} {...input} filter={clean} value={text} onValue={write} />;
    }
  }
}

interface InBothProps extends Rules {
  path: string;
  label: string;
  rows?: number;
  /** The value is null if both texts are empty. */
  nullable?: boolean;
}

function InBoth({ path, label, rows, nullable, ...rules }: InBothProps) {
  const { t } = useTexts();
  const { values, faults, setAt } = useFormState();
  const textOf = (language: string) => String(valueAt(values, `${path}.${language}`) ?? '');
  const write = (language: string, text: string) => {
    const both = { 'zh-CN': textOf('zh-CN'), en: textOf('en'), [language]: text };
    return nullable && !both['zh-CN'] && !both.en ? null : both;
  };
  return (
    <div className="pair">
      {languages.map((language) => {
        const name = `${path}.${language}`;
        const shared = {
          name,
          lang: language,
          label: t(language === 'en' ? 'en' : 'zh', { label }),
          fault: faults[name],
          value: textOf(language),
          onValue: (text: string) => setAt(path, write(language, text)),
        };
        return <Field key={name} {...shared} {...rules} rows={rows} />;
      })}
    </div>
  );
}

/** A text that represents a list; the input stays unchanged while the user types. */
function ListArea({ value, onValue, ...area }: FieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const write = (text: string) => {
    setTyped(text);
    onValue(text);
  };
  return <Field {...area} rows={FEWEST_ROWS} value={typed ?? value} onValue={write} onBlur={() => setTyped(null)} />;
}

export interface Labelled<Key extends string> {
  name: string;
  label: Key;
  values?: Record<string, string>;
  item?: Key;
  fields?: ReadonlyArray<Labelled<Key>>;
}

/** Label of a field by its path: `specs.0.prices.CNY` is "Value 1 · Price (CNY)". */
export function labelOf<Key extends string>(
  of: ReadonlyArray<Labelled<Key>>,
  t: Translate<Key>,
  path: string,
): string | undefined {
  const spec =
    of.find(({ name }) => path === name || path.startsWith(`${name}.`)) ??
    of.find(({ name }) => name.startsWith(`${path}.`));
  if (!spec) return undefined;
  const label = t(spec.label, spec.values);
  const rest = path.slice(spec.name.length + 1);
  if (rest === 'zh-CN' || rest === 'en') return formText(rest === 'en' ? 'en' : 'zh', { label });
  const [, index, field] = /^(\d+)(?:\.(.*))?$/.exec(rest) ?? [];
  if (index === undefined) return label;
  const number = Number(index) + 1;
  const item = spec.item ? t(spec.item, { number }) : `${label} · ${number}`;
  return field ? `${item} · ${labelOf(spec.fields ?? [], t, field) ?? field}` : item;
}
