import { confirm } from '@shop/shared/ui';
import { useEffect } from 'react';
import { go } from '../location';
import { useTexts } from './texts';

/** Asks before a link or the tab's end drops what is not saved. */
export function useUnsaved(isUnsaved: boolean): void {
  const { t } = useTexts();
  useEffect(() => {
    if (!isUnsaved) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = async (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="#/"]') : null;
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (await confirm({ title: t('leave'), content: t('leaveText'), confirmText: t('leaveNow'), danger: true }))
        go(link.getAttribute('href')?.slice(2) ?? '');
    };
    addEventListener('beforeunload', onUnload);
    document.addEventListener('click', onClick, { capture: true });
    return () => {
      removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, { capture: true });
    };
  }, [isUnsaved, t]);
}
