import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names';
import { Icon } from '../ui/icon';

export interface FieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
}

interface FrameProps extends Omit<FieldProps, 'name'> {
  id: string;
  noteId: string;
  error?: string;
  counter?: string;
  children: ReactNode;
  trailing?: ReactNode;
}

/** The line for the hint or the error is always rendered, so that nothing moves. */
export function FieldFrame({ id, noteId, label, hint, error, counter, children, trailing }: FrameProps) {
  return (
    <div className={classNames('ui-field', error && 'is-invalid')}>
      <label className="ui-field__label" htmlFor={id}>
        {label}
      </label>
      <div className="ui-field__box">
        {children}
        {trailing}
      </div>
      <div className="ui-field__foot">
        {/* A live region must exist before its text, or it is not announced. */}
        <div id={noteId} className="ui-field__note" aria-live="polite">
          {error ? (
            <span className="ui-field__error">
              <Icon name="alert" size={14} />
              {error}
            </span>
          ) : (
            hint
          )}
        </div>
        {counter && <span className="ui-field__counter">{counter}</span>}
      </div>
    </div>
  );
}
