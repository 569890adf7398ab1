import { type RefObject, useEffect, useRef } from 'react';

/**
 * True while the component is on the screen: false after it was left, whether it was unmounted or is kept hidden. For what
 * follows an answer and would pull the shopper away from where they have gone meanwhile.
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
