import type { ReactNode } from 'react';
import { Checkbox } from '../ui/choices';
import { classNames } from '../ui/class-names';
import { useField } from './use-field';

export interface CheckboxFieldProps {
  name: string;
  children: ReactNode;
  className?: string;
}

export function CheckboxField({ name, children, className }: CheckboxFieldProps) {
  const field = useField<boolean>(name);
  return (
    <div className={classNames('ui-field', className)}>
      <Checkbox
        {...field.aria}
        id={field.id}
        name={name}
        checked={Boolean(field.value)}
        onChange={field.setValue}
        onBlur={field.touch}
      >
        {children}
      </Checkbox>
      <div id={field.noteId} aria-live="polite" className="ui-field__note">
        {field.error && <span className="ui-field__error">{field.error}</span>}
      </div>
    </div>
  );
}
