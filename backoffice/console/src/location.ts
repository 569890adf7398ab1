import { useSyncExternalStore } from 'react';

/** A place of the console is the fragment of its address: `#/find/…`. */
export const go = (place: string): void => {
  location.hash = `#/${place}`;
};
const subscribe = (listener: () => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

/** The parts of the place: `#/shopper/12` is ['shopper', '12']. */
export const placeNow = (): string[] => partsOf(location.hash);
export const usePlace = (): string[] => partsOf(useSyncExternalStore(subscribe, () => location.hash));
export const useFragment = (): string => useSyncExternalStore(subscribe, () => location.hash).slice(1);

const partsOf = (hash: string) =>
  hash
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
