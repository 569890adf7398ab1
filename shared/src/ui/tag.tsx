import './tag.css';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

export function Tag({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classNames('ui-tag', `ui-tone--${tone}`)}>{children}</span>;
}

interface BadgeProps {
  /** Zero shows no badge; above 99 it shows "99+". */
  count?: number;
  /** The meaning of the number, for screen readers. */
  label?: string;
  children?: ReactNode;
}

export function Badge({ count = 0, label, children }: BadgeProps) {
  const text = count > 99 ? '99+' : String(count);
  return (
    <span className="ui-badge">
      {children}
      {count > 0 && (
        <span className="ui-badge__mark">
          <span aria-hidden={label ? true : undefined}>{text}</span>
          {label && <span className="ui-visually-hidden">{`${text} ${label}`}</span>}
        </span>
      )}
    </span>
  );
}

interface NoticeProps {
  tone?: Tone;
  children: ReactNode;
  action?: ReactNode;
}

/** A permanent message in the page. */
export function Notice({ tone = 'accent', children, action }: NoticeProps) {
  return (
    <div className={classNames('ui-notice ui-row ui-gap-2', `ui-tone--${tone}`)}>
      <Icon name="alert" size={20} />
      <div className="ui-grow">{children}</div>
      {action}
    </div>
  );
}
