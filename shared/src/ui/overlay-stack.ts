interface OpenOverlay {
  /** Its input is finished, or its page is gone. */
  close: () => void;
  /** The user wants to leave it: unsaved text is asked about first. */
  dismiss: () => void;
}

/** Open overlays, topmost last: only the topmost handles Escape and is not inert. */
const stack = new Map<HTMLElement, OpenOverlay>();

export const topmost = (): HTMLElement | undefined => [...stack.keys()].at(-1);

function dismissTopmost(count: number): void {
  for (const { dismiss } of [...stack.values()].reverse().slice(0, count)) dismiss();
}

/** Returns the function that removes it. */
export function addOverlay(layer: HTMLElement, overlay: OpenOverlay): () => void {
  stack.set(layer, overlay);
  // The styles of the whole page change. Meanwhile the overlay covers the page and traps the focus.
  requestAnimationFrame(() => setTimeout(applyInert));
  watchCloseRequests();
  followKeyboard();
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
    dismissTopmost(1);
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

/**
 * Back closes the topmost overlay: each open overlay has an entry in the history above the entry of its page. The entry repeats
 * address and state of the page, so that the router notices nothing, and numbers the overlay (`state.overlays`, 1 is the lowest).
 */
interface Place {
  address: string;
  key: unknown;
  overlays: number;
}

const placeNow = (): Place => ({
  address: window.location.href,
  key: window.history.state?.key,
  overlays: window.history.state?.overlays ?? 0,
});

/** A traversal without an event, as in a suspended tab, must not hold navigations for ever. */
const traversalTimeoutMs = 1_000;

let place: Place | undefined;
/** A traversal that this module has started. */
let traversal: Promise<void> | undefined;
let endTraversal = () => {};
let isNavigating = false;

// When the module loads, because this listener must run before the router's: of the window's own events Chromium calls the listeners in
// the order of their registration, whether they capture or not.
if (typeof window !== 'undefined') window.addEventListener('popstate', onPopState, { capture: true });

/** Adds the missing entries at once, and removes those of closed overlays. */
function matchEntries(): void {
  if (traversal || isNavigating) return;
  const { overlays } = placeNow();
  if (overlays > stack.size) void traverse(stack.size - overlays);
  for (let number = overlays + 1; number <= stack.size; number += 1)
    window.history.pushState({ ...window.history.state, overlays: number }, '');
  place = placeNow();
}

/** An overlay that opens in the same turn uses the entry of the one that closes. */
const matchEntriesSoon = (): void => void setTimeout(matchEntries);

function traverse(delta: number): Promise<void> {
  traversal = new Promise((resolve) => {
    const timer = setTimeout(() => endTraversal(), traversalTimeoutMs);
    endTraversal = () => {
      clearTimeout(timer);
      traversal = undefined;
      endTraversal = () => {};
      resolve();
    };
  });
  window.history.go(delta);
  return traversal;
}

function onPopState(event: PopStateEvent): void {
  const before = place;
  place = placeNow();
  const isSamePage = before?.address === place.address && before.key === place.key;
  const isOurs = traversal !== undefined;
  endTraversal();
  matchEntriesSoon();
  if (!isSamePage || before.overlays === place.overlays) return;
  event.stopImmediatePropagation();
  // After Forward to the entry of a closed overlay, `matchEntries` returns to the page.
  if (!isOurs && place.overlays < stack.size) dismissTopmost(stack.size - place.overlays);
}

type Navigate = (to: never, options?: { replace?: boolean }) => Promise<void>;

/** A router's `navigate` that leaves no entry of an overlay between the entries of two pages. */
export function navigateFromOverlays<Call extends Navigate>(navigate: Call): Call {
  // A document that was loaded again at the entry of an overlay.
  matchEntries();
  /** The page takes the place of the overlay, because a step back and a new entry would come later. */
  const takeEntry: Navigate = async (to, options) => {
    const { state } = window.history;
    window.history.replaceState({ ...state, idx: state.idx + 1 }, '');
    await navigate(to, { ...options, replace: true });
    const isRefused = placeNow().overlays > 0;
    if (isRefused) window.history.replaceState(state, '');
  };
  const go: Navigate = async (to, options) => {
    if (traversal) return traversal.then(() => go(to, options));
    const { overlays } = placeNow();
    const takesEntry = overlays > 0 && typeof to !== 'number' && !options?.replace;
    const surplus = takesEntry ? overlays - 1 : overlays;
    if (surplus > 0) await traverse(-surplus);
    isNavigating = true;
    try {
      await (takesEntry ? takeEntry(to, options) : navigate(to, options));
    } finally {
      isNavigating = false;
      matchEntries();
    }
  };
  return go as Call;
}
