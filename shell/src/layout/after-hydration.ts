import { useEffect, useLayoutEffect } from 'react';
import { useShell } from '../shell-context';

/**
 * Stands behind the page, in the same Activity: React hydrates its content after the layout, and an earlier change would make it
 * differ from the document.
 */
export function AfterHydration(): null {
  const shell = useShell();
  useLayoutEffect(() => shell.hydration?.restore(), [shell]);
  useEffect(() => {
    // The dialog that came with the page is taken over after it.
    if (shell.overlays.account === 'none') shell.hydration?.done();
  }, [shell]);
  return null;
}
