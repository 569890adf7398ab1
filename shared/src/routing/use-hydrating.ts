import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * True on a server and in the browser's first render of a page that came rendered; false right after it.
 * What only this device knows (clock, storage, width) must not be shown while it is true.
 */
export function useHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}
