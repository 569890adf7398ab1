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

/** Says that the device is offline, as long as it is. The live region stands before its text, or it stays silent. */
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
