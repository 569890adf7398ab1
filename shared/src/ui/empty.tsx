import './empty.css';
import type { ReactNode } from 'react';
import { Button } from './button';
import { useTexts } from './texts';

type Art = 'box' | 'orders' | 'coupon' | 'search' | 'wallet' | 'offline';

/* Classes a1..a4 are the theme's four art colours. */
const front: Record<Art, ReactNode> = {
  box: (
    <>
      <path className="a2" d="M48 62 80 48l32 14-32 15z" />
      <path className="a4" d="M48 62v34l32 15V77z" />
      <path className="a1 edge" d="M112 62v34l-32 15V77z" />
      <path className="a3" d="m64 55 32 14.5v12l-7-3.3V72.5L57.5 58z" />
    </>
  ),
  orders: (
    <>
      <path className="a4" d="M56 38h48a5 5 0 0 1 5 5v68l-9-6-10 6-10-6-10 6-10-6-9 6V43a5 5 0 0 1 5-5z" />
      <rect className="a3" x="61" y="50" width="22" height="7" rx="3.5" />
      <path className="line" d="M61 68h38M61 79h38M61 90h24" />
    </>
  ),
  coupon: (
    <>
      <path
        className="a4"
        d="M42 52h76a5 5 0 0 1 5 5v11a9 9 0 0 0 0 18v11a5 5 0 0 1-5 5H42a5 5 0 0 1-5-5V86a9 9 0 0 0 0-18V57a5 5 0 0 1 5-5z"
      />
      <path className="line dash" d="M96 58v38" />
      <circle className="a3" cx="59" cy="69" r="6" />
      <circle className="a3" cx="77" cy="86" r="6" />
      <path className="accent-line" d="M79 65 57 90" />
    </>
  ),
  search: (
    <>
      <circle className="a4" cx="76" cy="70" r="29" />
      <circle className="a1" cx="76" cy="70" r="20" />
      <path className="accent-line thick" d="M97.5 91.5 115 109" />
      <path className="line" d="M64 66a13 13 0 0 1 10-9" />
    </>
  ),
  wallet: (
    <>
      <path className="a2" d="M50 50 98 38a5 5 0 0 1 6 4l2 10H50z" />
      <rect className="a4" x="40" y="50" width="80" height="56" rx="9" />
      <path className="a3" d="M98 68h22v20H98a10 10 0 0 1 0-20z" />
      <circle className="a4" cx="100" cy="78" r="3.5" />
      <path className="line" d="M52 64h26M52 92h14" />
    </>
  ),
  offline: (
    <>
      <path className="a4" d="M56 100a19 19 0 0 1-3-37.8 27 27 0 0 1 52-5.4A22 22 0 0 1 106 100z" />
      <path className="accent-line thick" d="m80 62-8 17h14l-7 17" />
    </>
  ),
};

function EmptyArt({ art }: { art: Art }) {
  return (
    <svg className="ui-art" viewBox="0 0 160 140" width="160" height="140" aria-hidden="true" focusable="false">
      <ellipse className="a1" cx="80" cy="72" rx="64" ry="58" />
      <rect className="a2 shade" x="46" y="40" width="68" height="72" rx="12" transform="rotate(-11 80 76)" />
      <g>{front[art]}</g>
      <path className="a3" d="m128 30 2.6 6.4L137 39l-6.4 2.6L128 48l-2.6-6.4L119 39l6.4-2.6z" />
      <path className="a2" d="m26 84 2 5 5 2-5 2-2 5-2-5-5-2 5-2z" />
      <circle className="a3" cx="33" cy="44" r="3" />
      <ellipse className="a2 shade" cx="80" cy="131" rx="40" ry="4" />
    </svg>
  );
}

export interface EmptyProps {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  art?: Art;
}

export function Empty({ title, description, action, art = 'box' }: EmptyProps) {
  return (
    <div className="ui-empty">
      <EmptyArt art={art} />
      <p className="ui-empty__title">{title}</p>
      {description && <p className="ui-empty__text ui-hint">{description}</p>}
      {action && <div className="ui-empty__action">{action}</div>}
    </div>
  );
}

/** The server's message is written for users, the message of a thrown Error is not. */
function shopperText(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return undefined;
  const { code, message } = error;
  return typeof code === 'number' && typeof message === 'string' && message !== '' ? message : undefined;
}

interface ErrorStateProps {
  error?: unknown;
  onRetry?: () => void;
}

export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { t } = useTexts();
  const offline = typeof navigator !== 'undefined' && navigator.onLine === false;
  return (
    <div role="alert">
      <Empty
        art="offline"
        title={t(offline ? 'offlineTitle' : 'errorTitle')}
        description={shopperText(error) ?? t(offline ? 'offlineText' : 'errorText')}
        action={
          onRetry && (
            <Button kind="secondary" icon="refresh" onClick={() => onRetry()}>
              {t('retry')}
            </Button>
          )
        }
      />
    </div>
  );
}
