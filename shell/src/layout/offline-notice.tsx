import './offline-notice.css';
import { Icon } from '@shop/shared/ui';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useTexts } from '../texts';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** The live region is always rendered: screen readers announce only text that is added to an existing one. */
export function OfflineNotice(): ReactNode {
  const { t } = useTexts();
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className="shell-offline">
      {!online && (
        <span className="shell-offline__text">
          <Icon name="alert" size={16} /> {t('offline.notice')}
        </span>
      )}
    </div>
  );
}
