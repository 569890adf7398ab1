import { natives } from './natives';

/** The browser may refuse storage (private mode, policy): reads are then empty and writes ignored. */
const storageOf = (kind: 'localStorage' | 'sessionStorage') => ({
  read(key: string): string {
    try {
      return natives[kind].get(key) ?? '';
    } catch {
      return '';
    }
  },
  /** Returns whether the browser has stored the value. An empty value removes the key. */
  write(key: string, value: string): boolean {
    try {
      if (value) natives[kind].set(key, value);
      else natives[kind].remove(key);
      return true;
    } catch {
      return false;
    }
  },
});

export const { read: readStored, write: writeStored } = storageOf('localStorage');
export const { read: readForTab, write: writeForTab } = storageOf('sessionStorage');
