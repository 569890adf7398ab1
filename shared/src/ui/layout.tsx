import './layout.css';
import { type ElementType, type ReactNode, useId } from 'react';
import { Link } from '../router';
import { classNames } from './class-names';
import { Icon, type IconName } from './icon';

interface PageBodyProps {
  children: ReactNode;
  /** Reading width, for forms and articles. */
  narrow?: boolean;
  className?: string;
}

export function PageBody({ children, narrow, className }: PageBodyProps) {
  return <div className={classNames('ui-page-body', narrow && 'ui-page-body--narrow', className)}>{children}</div>;
}

/** The page's action bar at the bottom edge, above the safe area. */
export function StickyBar({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={classNames('ui-sticky-bar ui-row', className)}>{children}</div>;
}

interface CardProps {
  as?: ElementType;
  padding?: 'none' | 's' | 'm' | 'l';
  className?: string;
  children?: ReactNode;
  'aria-label'?: string;
  'aria-labelledby'?: string;
}

export function Card({ as: Element = 'div', padding = 'm', className, ...rest }: CardProps) {
  return <Element className={classNames('ui-card', `ui-card--${padding}`, className)} {...rest} />;
}

interface SectionProps {
  title: ReactNode;
  action?: ReactNode;
  children: ReactNode;
  className?: string;
}

export function Section({ title, action, children, className }: SectionProps) {
  const id = useId();
  return (
    <section className={classNames('ui-section', className)} aria-labelledby={id}>
      <div className="ui-section__head ui-row ui-spread">
        <h2 className="ui-section__title" id={id}>
          {title}
        </h2>
        {action && <div className="ui-section__action">{action}</div>}
      </div>
      {children}
    </section>
  );
}

interface CellProps {
  title: ReactNode;
  value?: ReactNode;
  description?: ReactNode;
  icon?: IconName;
  to?: string;
  onClick?: () => void;
  className?: string;
}

/** A link with `to`, a button with `onClick`, both with a chevron, else plain text. */
export function Cell({ title, value, description, icon, to, onClick, className }: CellProps) {
  const row = {
    className: classNames('ui-cell ui-row', (to || onClick) && 'ui-cell--action', className),
    onClick,
    children: (
      <>
        {icon && (
          <span className="ui-cell__icon ui-tone--accent">
            <Icon name={icon} size={20} />
          </span>
        )}
        <span className="ui-cell__main">
          <span className="ui-cell__title">{title}</span>
          {description && <span className="ui-hint">{description}</span>}
        </span>
        {value !== undefined && value !== null && <span className="ui-cell__value">{value}</span>}
        {(to || onClick) && <Icon name="chevron-right" size={18} className="ui-cell__arrow" />}
      </>
    ),
  };
  if (to !== undefined) return <Link to={to} {...row} />;
  return onClick ? <button type="button" {...row} /> : <div {...row} />;
}

export function CellGroup({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div className="ui-cell-group">
      {title && <h2 className="ui-cell-group__title ui-muted">{title}</h2>}
      <div className="ui-cell-group__rows">{children}</div>
    </div>
  );
}

export function VisuallyHidden({ children, as: Element = 'span' }: { children: ReactNode; as?: ElementType }) {
  return <Element className="ui-visually-hidden">{children}</Element>;
}
