/** The contract between the shell and a remote's pages. */
import { type ComponentType, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';

export interface LoaderArguments {
  params: Readonly<Record<string, string | undefined>>;
  request: Request;
}

export interface PageModule {
  Component: ComponentType;
  /** Starts the page's calls; must not throw and must not wait for them. */
  loader?: (args: LoaderArguments) => unknown;
  ErrorBoundary?: ComponentType<{ error: unknown; retry: () => void }>;
}

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
