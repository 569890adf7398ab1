import { useSyncExternalStore } from 'react';

/** The same width as in the CSS of shell and kit. */
const query = '(min-width: 960px)';

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** Whether the window is wide enough for the desktop layout (docs/product.md#layout). Rendered documents contain both. */
export function useDesktop(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => true,
  );
}
