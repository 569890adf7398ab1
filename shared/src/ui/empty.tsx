import './empty.css';
import type { ReactNode } from 'react';
import { Button } from './button';
import { type Art, EmptyArt } from './empty-art';
import { useTexts } from './texts';

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
      {description && <p className="ui-empty__text">{description}</p>}
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
