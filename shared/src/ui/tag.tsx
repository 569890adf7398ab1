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
  /** Above 99 it shows "99+"; zero shows no badge. */
  count?: number;
  /** What the number counts, for screen readers. */
  label: string;
}

export function Badge({ count = 0, label }: BadgeProps) {
  if (count === 0) return null;
  const text = count > 99 ? '99+' : String(count);
  return (
    <span className="ui-badge">
      <span className="ui-badge__mark">
        <span aria-hidden="true">{text}</span>
        <span className="ui-visually-hidden">{`${text} ${label}`}</span>
      </span>
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
