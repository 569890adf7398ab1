/** Small parts that the pages of the console share. */
import { toast } from '@shop/shared/ui';
import type { InputHTMLAttributes, ReactNode } from 'react';
import { useId, useState } from 'react';
import { StaffApiError } from './api';
import { t } from './texts';

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

/** Runs acts one at a time; a fault is shown as a notice, or by `fault` where the caller shows it itself. */
export function useAct(): { busy: boolean; fault: string; act(work: () => Promise<unknown>): Promise<boolean> } {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  return {
    busy,
    fault,
    act: async (work) => {
      setBusy(true);
      setFault('');
      try {
        await work();
        return true;
      } catch (error) {
        setFault(faultText(error));
        toast.error(faultText(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
