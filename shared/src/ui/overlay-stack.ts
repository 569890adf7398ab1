import { followHistory, matchEntries, matchEntriesSoon } from './overlay-history';

interface OpenOverlay {
  /** Its input is finished, or its page is gone. */
  close: () => void;
  /** The user wants to leave it: unsaved text is asked about first. */
  dismiss: () => void;
}

/** Open overlays, topmost last: only the topmost handles Escape and is not inert. */
const stack = new Map<HTMLElement, OpenOverlay>();

export const topmost = (): HTMLElement | undefined => [...stack.keys()].at(-1);

const history = {
  get count() {
    return stack.size;
  },
  dismiss: (count: number) => {
    for (const { dismiss } of [...stack.values()].reverse().slice(0, count)) dismiss();
  },
};

/** Returns the function that removes it. */
export function addOverlay(layer: HTMLElement, overlay: OpenOverlay): () => void {
  stack.set(layer, overlay);
  // The styles of the whole page change. Meanwhile the overlay covers the page and traps the focus.
  requestAnimationFrame(() => setTimeout(applyInert));
  watchCloseRequests();
  followKeyboard();
  followHistory(history);
  matchEntries();
  return () => {
    stack.delete(layer);
    applyInert();
    watchCloseRequests();
    followKeyboard();
    matchEntriesSoon();
  };
}

/** Call it when another page is shown. A prompt that opened by itself is shown again with its page. */
export function closeOverlays(): void {
  for (const [layer, { close }] of [...stack].reverse()) if (!layer.querySelector('[data-unasked]')) close();
}

interface CloseWatcher extends EventTarget {
  destroy(): void;
}
let watcher: CloseWatcher | undefined;

/** Android's Back and gestures of assistive technology. One watcher for all overlays: a request closes all that opened without a click. */
function watchCloseRequests(): void {
  if (stack.size === 0) {
    watcher?.destroy();
    watcher = undefined;
    return;
  }
  const { CloseWatcher } = window as { CloseWatcher?: new () => CloseWatcher };
  if (watcher || !CloseWatcher) return;
  watcher = new CloseWatcher();
  watcher.addEventListener('close', () => {
    watcher = undefined;
    history.dismiss(1);
    watchCloseRequests();
  });
}

/** iOS lays its keyboard over the page. Other browsers resize the page (`interactive-widget` in the document). */
function followKeyboard(): void {
  if (stack.size > 0) window.visualViewport?.addEventListener('resize', stayAboveKeyboard);
  else window.visualViewport?.removeEventListener('resize', stayAboveKeyboard);
}

function stayAboveKeyboard(event: Event): void {
  const { height, offsetTop, scale } = event.target as VisualViewport;
  const isZoomed = scale > 1.01;
  const covered = isZoomed ? 0 : Math.max(0, window.innerHeight - height - offsetTop);
  document.documentElement.style.setProperty('--ui-keyboard', `${covered}px`);
  if (covered > 0) document.activeElement?.scrollIntoView({ block: 'center' });
}

const inertByUs = new Set<Element>();

function applyInert(): void {
  const top = topmost();
  for (const element of inertByUs) element.removeAttribute('inert');
  inertByUs.clear();
  const root = document.documentElement;
  if (!top) {
    root.classList.remove('ui-locked');
    return;
  }
  if (!root.classList.contains('ui-locked')) {
    root.style.setProperty('--ui-scrollbar', `${window.innerWidth - root.clientWidth}px`);
    root.classList.add('ui-locked');
  }
  // An overlay that was rendered open in the document is inside the page.
  for (const parent of [document.body, top.parentElement as Element])
    for (const element of parent.children) {
      // Toasts must stay readable above a dialog.
      if (element.contains(top) || element.hasAttribute('inert') || element.hasAttribute('data-ui-live')) continue;
      element.setAttribute('inert', '');
      inertByUs.add(element);
    }
}
