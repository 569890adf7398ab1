import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * True on a server and in the first render of a page with server-rendered HTML; false afterwards. Values of this device (clock,
 * storage, width) must not be rendered while it is true.
 */
export function useHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}
