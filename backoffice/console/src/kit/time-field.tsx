import { Field, type FieldProps } from './parts';

/** `2026-11-22T20:00` in this browser's time zone, as time inputs need it. */
function localText(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface TimeFieldProps extends Pick<FieldProps, 'name' | 'label' | 'hint' | 'fault' | 'required'> {
  /** ISO 8601 in UTC; null: empty. */
  value: string | null;
  onValue(value: string | null): void;
}

export function TimeField({ value, onValue, ...field }: TimeFieldProps) {
  const set = (text: string) => {
    const at = new Date(text);
    onValue(Number.isNaN(at.getTime()) ? null : at.toISOString());
  };
  return <Field type="datetime-local" value={value ? localText(value) : ''} onValue={set} {...field} />;
}
