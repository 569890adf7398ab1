import './icon.css';
import { type IconName, iconPaths } from './icon-paths';

interface IconProps {
  name: IconName;
  /** Side length in px, 24 by default. */
  size?: number;
  className?: string;
}

/** Decorative: the text beside it or the button's label gives the meaning. */
export function Icon({ name, size = 24, className }: IconProps) {
  return (
    <svg
      className={className ? `ui-icon ${className}` : 'ui-icon'}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
