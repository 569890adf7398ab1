import { useSyncExternalStore } from 'react';

/** A place of the console is the fragment of its address: `#/find/…`. */
export const go = (place: string): void => {
  location.hash = `#/${place}`;
};
const subscribe = (listener: () => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

/** The parts of the place: `#/person/12` is ['person', '12']. */
export function usePlace(): string[] {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return hash
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
}
