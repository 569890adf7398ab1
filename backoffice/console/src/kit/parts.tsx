import { formatDate } from '@shop/shared/i18n';
import { Empty, ErrorState, Notice, Skeleton, toast } from '@shop/shared/ui';
import type { ChangeEvent, CompositionEvent, InputHTMLAttributes, ReactElement, ReactNode } from 'react';
import { useId, useState } from 'react';
import { StaffApiError } from '../api';
import { t, useTexts } from '../texts';

interface FrameProps {
  label: string;
  hint?: string;
  fault?: string;
}

function useFrame({ label, hint, fault }: FrameProps) {
  const id = useId();
  const noteId = hint || fault ? `${id}-note` : undefined;
  const frame = (control: ReactNode) => (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {control}
      {noteId && (
        <p className="hint" id={noteId}>
          {fault && <span className="fault">{fault}</span>} {hint}
        </p>
      )}
    </div>
  );
  return { frame, aria: { id, 'aria-describedby': noteId, 'aria-invalid': fault ? true : undefined } };
}

type Control = HTMLInputElement | HTMLTextAreaElement;

export interface FieldProps extends FrameProps, Omit<InputHTMLAttributes<Control>, 'onChange'> {
  /** Makes it a field of several lines. */
  rows?: number;
  /** Applied to typed or pasted text before it becomes the value. */
  filter?(text: string): string;
  onValue(value: string): void;
}

export function Field({ label, hint, fault, rows, filter = (text) => text, onValue, ...rest }: FieldProps) {
  const { frame, aria } = useFrame({ label, hint, fault });
  const control = {
    ...aria,
    // A filter during a composition would interrupt the input method.
    onChange: ({ target, nativeEvent }: ChangeEvent<Control>) =>
      onValue((nativeEvent as InputEvent).isComposing ? target.value : filter(target.value)),
    onCompositionEnd: ({ currentTarget }: CompositionEvent<Control>) => onValue(filter(currentTarget.value)),
    ...rest,
  };
  return frame(rows ? <textarea rows={rows} {...control} /> : <input {...control} />);
}

interface SelectProps<T extends string | number> extends FrameProps {
  name?: string;
  value: T;
  options: ReadonlyArray<{ value: T; label: string }>;
  onValue(value: T): void;
}

export function Select<T extends string | number>({ label, hint, fault, options, onValue, ...select }: SelectProps<T>) {
  const { frame, aria } = useFrame({ label, hint, fault });
  const choose = (text: string) => {
    const chosen = options.find(({ value }) => String(value) === text);
    if (chosen) onValue(chosen.value);
  };
  return frame(
    <select {...aria} {...select} onChange={(event) => choose(event.target.value)}>
      {options.map(({ value, label: name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>,
  );
}

export const faultText = (error: unknown): string =>
  error instanceof StaffApiError ? error.message : t('noConnection');

export function Fault({ children }: { children: ReactNode }) {
  return (
    <p className="fault" role="alert">
      {children}
    </p>
  );
}

/** Runs actions. An error is shown as a toast, or with `inline` by the component, which renders `fault`. */
export function useAction({ inline = false } = {}) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const run = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setFault('');
    try {
      await action();
    } catch (error) {
      const text = faultText(error);
      if (inline) setFault(text);
      else if (text) toast.error(text);
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, run };
}

interface SectionProps {
  title: string;
  className?: string;
  children: ReactNode;
}

export const Section = ({ title, className = 'list', children }: SectionProps) => (
  <section className={className} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

export const Loading = () => (
  <div className="card" aria-busy="true">
    <Skeleton lines={6} />
  </div>
);

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; refetch(): unknown };
  children(data: T): ReactNode;
}

/** The data of a query; until it arrives, a placeholder or the error. An error of a later request is shown above the data. */
export function Loaded<T>({ query: { data, error, refetch }, children }: LoadedProps<T>) {
  const { t } = useTexts();
  if (data === undefined) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <>
      {error && (
        <div role="alert">
          <Notice tone="danger">{t('outdated')}</Notice>
        </div>
      )}
      {children(data)}
    </>
  );
}

export interface LoadedListProps<T> {
  query: LoadedProps<readonly T[]>['query'] & { isFetching?: boolean };
  empty: string;
  children(list: readonly T[]): ReactNode;
}

export const LoadedList = <T,>({ query, empty, children }: LoadedListProps<T>) => (
  <div aria-live="polite" aria-busy={query.isFetching}>
    <Loaded query={query}>{(list) => (list.length === 0 ? <Empty title={empty} /> : children(list))}</Loaded>
  </div>
);

type ListProps<T> = Omit<LoadedListProps<T>, 'children'> & { children(item: T): ReactElement };

export const List = <T,>({ children, ...list }: ListProps<T>) => (
  <LoadedList {...list}>
    {(items) => (
      <ul className="list">
        {items.map(children).map((item) => (
          <li key={item.key}>{item}</li>
        ))}
      </ul>
    )}
  </LoadedList>
);

export const Facts = ({ of }: { of: ReadonlyArray<readonly [name: ReactNode, value: ReactNode] | undefined> }) => (
  <dl className="facts">
    {of.map(
      (fact, index) =>
        fact && (
          <div key={index}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
    )}
  </dl>
);

export const TimedLine = ({ at, children }: { at: string; children: ReactNode }) => (
  <p className="line">
    <strong>{children}</strong>
    <span className="hint">{formatDate(at)}</span>
  </p>
);

export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <a className="back-link" href={`#/${to}`}>
    ‹ {children}
  </a>
);

export const Note = ({ by, at, text }: { by: string | null; at: string; text: string | null }) => (
  <p className="pre">
    <span className="hint">
      {by} · {formatDate(at)}
    </span>
    <br />
    {text}
  </p>
);
