import { instantAt, shopTime } from '../shop-time';
import { Field, type FieldProps } from './parts';

interface TimeFieldProps extends Pick<FieldProps, 'name' | 'label' | 'hint' | 'fault' | 'required'> {
  /** ISO 8601 in UTC; null: empty. */
  value: string | null;
  onValue(value: string | null): void;
}

export function TimeField({ value, onValue, ...field }: TimeFieldProps) {
  const set = (text: string) => onValue(instantAt(text));
  return <Field type="datetime-local" value={value ? shopTime(value) : ''} onValue={set} {...field} />;
}
