import './button.css';
import type { MouseEventHandler, ReactNode, Ref } from 'react';
import { Link } from '../router';
import { classNames } from './class-names';
import { Icon, type IconName } from './icon';
import { Spinner } from './spinner';

export interface ButtonProps {
  kind?: 'primary' | 'secondary' | 'ghost' | 'danger';
  size?: 's' | 'm' | 'l';
  block?: boolean;
  /** Shows a spinner and ignores clicks; size and focus stay. */
  loading?: boolean;
  disabled?: boolean;
  type?: 'button' | 'submit';
  onClick?: MouseEventHandler<HTMLElement>;
  icon?: IconName;
  /** Renders a link to this address instead of a button. */
  to?: string;
  children?: ReactNode;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
  form?: string;
  /** Gets the initial focus in a dialog. */
  'data-autofocus'?: boolean;
  'aria-label'?: string;
  'aria-haspopup'?: 'dialog';
}

export function Button(props: ButtonProps) {
  const { kind = 'primary', size = 'm', block, loading, disabled, onClick, icon, to, ...others } = props;
  const { children, className, ...attributes } = others;
  const classes = classNames(
    'ui-button',
    `ui-button--${kind}`,
    `ui-button--${size}`,
    block && 'ui-button--block',
    loading && 'is-loading',
    className,
  );
  const content = (
    <>
      <span className="ui-button__content">
        {icon && <Icon name={icon} size={size === 's' ? 18 : 20} />}
        {children}
      </span>
      {loading && <Spinner />}
    </>
  );
  if (to !== undefined && !disabled) {
    return (
      <Link to={to} onClick={onClick} className={classes} aria-label={attributes['aria-label']}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      {...attributes}
      className={classes}
      disabled={disabled}
      aria-busy={loading || undefined}
      aria-disabled={loading || undefined}
      onClick={(event) => {
        if (loading) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {content}
    </button>
  );
}

interface IconButtonProps {
  label: string;
  icon: IconName;
  type?: 'button' | 'submit';
  /** Name in the form that it submits. */
  name?: string;
  value?: string;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  disabled?: boolean;
  size?: number;
  className?: string;
  'aria-haspopup'?: 'dialog';
  /** Id of an element that the browser opens without a script. */
  popoverTarget?: string;
}

export function IconButton({ label, icon, size, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" aria-label={label} className={classNames('ui-icon-button', className)} {...rest}>
      <Icon name={icon} size={size} />
    </button>
  );
}
