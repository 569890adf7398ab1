import './tag.css';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';
import type { IconName } from './icon-paths';

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

export function Tag({
  tone = 'neutral',
  children,
  className,
}: {
  tone?: Tone;
  children: ReactNode;
  className?: string;
}) {
  return <span className={classNames('ui-tag', `ui-tone--${tone}`, className)}>{children}</span>;
}

export interface BadgeProps {
  /** Above `max` it shows "99+"; zero shows no badge; `dot` shows a dot. */
  count?: number;
  max?: number;
  dot?: boolean;
  /** The meaning of the number, for screen readers. */
  label?: string;
  children?: ReactNode;
}

export function Badge({ count = 0, max = 99, dot, label, children }: BadgeProps) {
  const text = count > max ? `${max}+` : String(count);
  return (
    <span className="ui-badge">
      {children}
      {(dot || count > 0) && (
        <span className={classNames('ui-badge__mark', dot && 'ui-badge__mark--dot')}>
          {dot ? null : <span aria-hidden={label ? true : undefined}>{text}</span>}
          {label && <span className="ui-visually-hidden">{dot ? label : `${text} ${label}`}</span>}
        </span>
      )}
    </span>
  );
}

export interface NoticeProps {
  tone?: Tone;
  icon?: IconName;
  children: ReactNode;
  action?: ReactNode;
}

/** A permanent message in the page. */
export function Notice({ tone = 'accent', icon = 'alert', children, action }: NoticeProps) {
  return (
    <div className={classNames('ui-notice', `ui-tone--${tone}`)}>
      <Icon name={icon} size={20} />
      <div className="ui-notice__text">{children}</div>
      {action}
    </div>
  );
}
