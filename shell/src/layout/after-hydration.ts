import { useEffect, useLayoutEffect } from 'react';
import { useShell } from '../shell-context';

/**
 * Placed after the page in the same Activity: React hydrates its content after the layout, and an earlier change would make it
 * differ from the document.
 */
export function AfterHydration(): null {
  const shell = useShell();
  useLayoutEffect(() => {
    shell.hydration?.restore();
    if (shell.hydration) shell.hydration.restore = () => {};
  }, [shell]);
  useEffect(() => {
    shell.hydration?.done?.();
    shell.hydration = undefined;
  }, [shell]);
  return null;
}
