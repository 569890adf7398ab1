/**
 * Back closes the topmost overlay: each open overlay has an entry in the history above the entry of its page. The entry repeats
 * address and state of the page, so that the router notices nothing, and numbers the overlay (`state.overlays`, 1 is the lowest).
 */
interface Place {
  address: string;
  key: unknown;
  overlays: number;
}

interface OpenOverlays {
  readonly count: number;
  /** Asks the topmost overlays to close. */
  dismiss: (count: number) => void;
}

const placeNow = (): Place => ({
  address: window.location.href,
  key: window.history.state?.key,
  overlays: window.history.state?.overlays ?? 0,
});

/** A traversal without an event, as in a suspended tab, must not hold navigations for ever. */
const traversalTimeoutMs = 1_000;

let open: OpenOverlays = { count: 0, dismiss: () => {} };
let place: Place | undefined;
/** A traversal that this module has started. */
let traversal: Promise<void> | undefined;
let endTraversal = () => {};
let isNavigating = false;

// When the module loads, because this listener must run before the router's: of the window's own events Chromium calls the listeners in
// the order of their registration, whether they capture or not.
if (typeof window !== 'undefined') window.addEventListener('popstate', onPopState, { capture: true });

/** Calls `dismiss` at Back. Call `matchEntries` after each change of `count`. */
export function followHistory(overlays: OpenOverlays): void {
  open = overlays;
}

/** Adds the missing entries at once, and removes those of closed overlays. */
export function matchEntries(): void {
  if (traversal || isNavigating) return;
  const { overlays } = placeNow();
  if (overlays > open.count) void traverse(open.count - overlays);
  for (let number = overlays + 1; number <= open.count; number += 1)
    window.history.pushState({ ...window.history.state, overlays: number }, '');
  place = placeNow();
}

/** An overlay that opens in the same turn uses the entry of the one that closes. */
export const matchEntriesSoon = (): void => void setTimeout(matchEntries);

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
  if (!isOurs && place.overlays < open.count) open.dismiss(open.count - place.overlays);
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
