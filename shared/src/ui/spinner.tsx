import './spinner.css';

interface SpinnerProps {
  /** For screen readers; without it the spinner is decorative. */
  label?: string;
}

export function Spinner({ label }: SpinnerProps) {
  const ring = (
    <svg className="ui-spinner" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <circle cx="12" cy="12" r="9" opacity="0.25" />
      <path d="M12 3a9 9 0 0 1 9 9" />
    </svg>
  );
  if (!label) return ring;
  return (
    <span className="ui-spinner-box ui-row ui-gap-2 ui-muted" role="status">
      {ring}
      <span className="ui-spinner-box__label">{label}</span>
    </span>
  );
}
