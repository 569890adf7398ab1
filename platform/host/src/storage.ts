import { natives } from './natives';

/** Local storage. The browser may refuse it (private mode, policy): reads are then empty and writes ignored. */
export function readStored(key: string): string {
  try {
    return natives.localStorage.get(key) ?? '';
  } catch {
    return '';
  }
}

export function writeStored(key: string, value: string): void {
  try {
    if (value) natives.localStorage.set(key, value);
    else natives.localStorage.remove(key);
  } catch {
    // The browser refuses storage.
  }
}

export function readForTab(key: string): string {
  try {
    return natives.sessionStorage.get(key) ?? '';
  } catch {
    return '';
  }
}

export function writeForTab(key: string, value: string): void {
  try {
    natives.sessionStorage.set(key, value);
  } catch {
    // The browser refuses storage.
  }
}
