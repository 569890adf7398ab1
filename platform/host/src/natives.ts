/**
 * Browser functions as they were before any code of a remote ran. Code that recovers a tab from a bad release (release map,
 * health reports, reload) uses these, so that a remote that replaces a global cannot stop it. main.tsx imports this module first.
 */
type EventsOf<T> = T extends Window ? WindowEventMap : DocumentEventMap;
type Listen = <T extends Window | Document, K extends keyof EventsOf<T>>(
  target: T,
  type: K,
  listener: (event: EventsOf<T>[K]) => void,
  options?: AddEventListenerOptions,
) => () => void;

interface ScriptPolicy {
  createScriptURL(url: string): string;
}
/** Browsers that have it refuse plain URLs of scripts. */
interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

export type Natives = ReturnType<typeof captureNatives>;

export function captureNatives() {
  const { fetch, setTimeout, clearTimeout, setInterval, clearInterval, navigator, location } = window;
  const { sendBeacon } = navigator;
  const { reload } = location;
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const json = window.Response?.prototype.json;
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  return {
    fetch: fetch.bind(window),
    readJson: (response: Response): Promise<unknown> => (json ? json.call(response) : response.json()),
    setTimeout: setTimeout.bind(window),
    clearTimeout: clearTimeout.bind(window),
    setInterval: setInterval.bind(window),
    clearInterval: clearInterval.bind(window),
    now: Date.now,
    timeoutSignal: AbortSignal.timeout.bind(AbortSignal),
    /** Returns false when the browser has no sendBeacon or its queue is full. */
    sendBeacon: sendBeacon ? sendBeacon.bind(navigator) : () => false,
    reload: reload.bind(location),
    createPolicy: trustedTypes?.createPolicy.bind(trustedTypes),
    listen: ((target: EventTarget, type: string, listener: EventListener, options?: AddEventListenerOptions) => {
      addEventListener.call(target, type, listener, options);
      return () => removeEventListener.call(target, type, listener, options);
    }) as Listen,
    localStorage: captureStorage('localStorage'),
    sessionStorage: captureStorage('sessionStorage'),
  };
}

/** The browser may refuse storage (private mode, policy): reads are then empty and writes ignored. */
function captureStorage(kind: 'localStorage' | 'sessionStorage') {
  const { getItem, setItem, removeItem } = Storage.prototype;
  const storage = openStorage(kind);
  return {
    read(key: string): string {
      try {
        return Reflect.apply(getItem, storage, [key]) ?? '';
      } catch {
        return '';
      }
    },
    /** Returns whether the browser has stored the value. An empty value removes the key. */
    write(key: string, value: string): boolean {
      try {
        if (value) Reflect.apply(setItem, storage, [key, value]);
        else Reflect.apply(removeItem, storage, [key]);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Returns null when the browser refuses storage; the methods of Storage then throw. */
function openStorage(kind: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return window[kind];
  } catch {
    return null;
  }
}

export const natives = captureNatives();
