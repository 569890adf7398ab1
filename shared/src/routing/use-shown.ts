import { type RefObject, useEffect, useRef } from 'react';

/**
 * True while the component is visible, false once it is unmounted or kept alive but hidden. Check it after a request, before a
 * navigation that would take the user away from another page.
 */
export function useShown(): RefObject<boolean> {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return shown;
}
