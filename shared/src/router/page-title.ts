import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';

/** Keyed by path, so that a kept-alive page keeps its title. */
const titles = new Map<string, string>();
const listeners = new Set<() => void>();
const most = 100;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Sets the page's title in the tab and in the top bar by its content instead of by its route. */
export function usePageTitle(title: string | undefined): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (!title) return;
    if (titles.size >= most) titles.clear();
    titles.set(pathname, title);
    for (const listener of listeners) listener();
  }, [pathname, title]);
}

export function usePageTitleOf(pathname: string): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => titles.get(pathname),
    () => undefined,
  );
}
