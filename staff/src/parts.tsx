/** Small parts that the pages of the console share. */
import { Button, Empty, type EmptyProps, ErrorState, Skeleton, toast } from '@shop/shared/ui';
import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react';
import { useEffect, useId, useState } from 'react';
import { StaffApiError } from './api';
import { t, useTexts } from './texts';

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  label: string;
  hint?: string;
  onValue(value: string): void;
}

export function Field({ label, hint, onValue, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onValue(event.target.value)}
        {...input}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface AreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> {
  label: string;
  hint: string;
  onValue(value: string): void;
}

export function Area({ label, hint, onValue, ...area }: AreaProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} aria-describedby={`${id}-hint`} onChange={(event) => onValue(event.target.value)} {...area} />
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

export function Select<T extends string>(props: {
  label: string;
  value: T;
  options: ReadonlyArray<{ value: T; label: string }>;
  onValue(value: T): void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      <select id={id} value={props.value} onChange={(event) => props.onValue(event.target.value as T)}>
        {props.options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** What went wrong, as its reader understands it. */
export const faultText = (error: unknown): string =>
  error instanceof StaffApiError ? error.message : t('noConnection');

export function Fault({ children }: { children: ReactNode }) {
  return (
    <p className="fault" role="alert">
      {children}
    </p>
  );
}

interface Act {
  busy: boolean;
  act(work: () => Promise<unknown>): Promise<boolean>;
}

/** Runs acts one at a time; a fault is shown as a notice. */
export const useAct = (): Act => useActWith(noticeFault);
const noticeFault = (text: string) => void (text && toast.error(text));

/** As useAct, for a form that shows `fault` itself. */
export function useFormAct(): Act & { fault: string } {
  const [fault, setFault] = useState('');
  return { ...useActWith(setFault), fault };
}

function useActWith(onFault: (text: string) => void): Act {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    act: async (work) => {
      setBusy(true);
      onFault('');
      try {
        await work();
        return true;
      } catch (error) {
        onFault(faultText(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

interface RowsProps {
  head: string[];
  rows: string[][];
}

/** Rows of text. On a phone each row stands as a block under the names of its columns. */
export function Rows({ labelledBy, head, rows }: RowsProps & { labelledBy: string }) {
  return (
    <table className="card" aria-labelledby={labelledBy}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={head[column]} data-head={head[column]}>
                {cell || '—'}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Table({ title, head, rows }: RowsProps & { title: string }) {
  const { t } = useTexts();
  const id = useId();
  return (
    <section className="list" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length === 0 ? <p className="hint">{t('none')}</p> : <Rows labelledBy={id} head={head} rows={rows} />}
    </section>
  );
}

export const Loading = ({ lines = 6 }: { lines?: number }) => (
  <div className="card" aria-busy="true">
    <Skeleton lines={lines} />
  </div>
);

interface ListStateProps extends Pick<EmptyProps, 'art'> {
  query: { data: unknown; error: unknown; refetch(): unknown };
  isEmpty: boolean | undefined;
  /** What an empty list says. */
  empty: string;
  lines?: number;
}

/** What stands in the place of a list that has not come, failed, or is empty. */
export function ListState({ query, isEmpty, empty, art, lines }: ListStateProps) {
  if (query.error && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Loading lines={lines} />;
  return isEmpty ? <Empty title={empty} art={art} /> : null;
}

interface SearchFormProps {
  /** What is searched for now, as the address has it. */
  words: string;
  label: string;
  hint: string;
  submit: string;
  onSearch(words: string): void;
  /** Beside its button. */
  children: ReactNode;
}

export function SearchForm({ words, label, hint, submit, onSearch, children }: SearchFormProps) {
  const [text, setText] = useState(words);
  useEffect(() => setText(words), [words]);
  return (
    <form
      className="card row search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <div className="grow">
        <Field
          label={label}
          hint={hint}
          type="search"
          value={text}
          onValue={setText}
          maxLength={60}
          autoComplete="off"
        />
      </div>
      <Button type="submit" icon="search">
        {submit}
      </Button>
      {children}
    </form>
  );
}
