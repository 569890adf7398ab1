/**
 * Applies a new release map in an idle tab: the page on screen switches to the live release, and a new shell is loaded by
 * a reload. It waits after user input, while a dialog is open, and as long as a page of that remote (for a new
 * shell: of any remote) holds user input; then only a navigation applies the map.
 */
import { reaction } from '@shop/shared/state';
import { natives } from '../platform/natives';
import type { ReleasesStore } from './releases.store';
import type { RemoteLoader } from './remote-loader';

const idleAfterMs = 8_000;
const checkEveryMs = 2_000;
const inputEvents = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'input'] as const;
/** Controls that change by a press, without an input event. */
const pressControls = 'form, fieldset, [role="radiogroup"], [role="switch"], .ui-stepper';

interface IdleOptions {
  releases: Pick<ReleasesStore, 'map' | 'current' | 'offered' | 'applyReleaseMap' | 'needsFullLoad'>;
  loader: RemoteLoader;
  /** The route on screen, if a remote renders it. */
  onScreen: () => { remote: string; page: string } | null;
  reload?: () => void;
  now?: () => number;
}

/** Returns a function that stops it. */
export function refreshOnIdle(options: IdleOptions): () => void {
  const { releases, loader, onScreen, reload = natives.reload, now = natives.now } = options;
  const pagesWithInput = new WeakSet<Element>();
  /** Releases whose preload failed; only a navigation tries them again. */
  const failed = new Set<string>();
  let lastInput = now();
  let timer: number | undefined;

  const onInput = (event: Event) => {
    lastInput = now();
    const target = event.target instanceof Element ? event.target : null;
    const changes = event.type === 'input' || (event.type === 'pointerdown' && target?.closest(pressControls));
    const page = changes ? target?.closest('[data-remote]') : null;
    if (page) pagesWithInput.add(page);
  };

  function hasInput(remote?: string): boolean {
    const pages = [...document.querySelectorAll(remote ? `[data-remote="${remote}"]` : '[data-remote]')];
    return pages.some((page) => pagesWithInput.has(page));
  }

  const isIdle = () =>
    document.visibilityState === 'visible' &&
    now() - lastInput >= idleAfterMs &&
    document.querySelector('[role="dialog"], [role="alertdialog"], dialog[open]') === null;

  /** The route on screen and its new release, if there is one. */
  function pendingChange() {
    const route = onScreen();
    const next = route && releases.offered(route.remote);
    if (!route || !next || next.version === releases.current(route.remote)?.version) return null;
    return failed.has(`${next.name}@${next.version}`) ? null : { route, next };
  }

  async function refresh(): Promise<void> {
    if (releases.needsFullLoad) {
      if (isIdle() && !hasInput()) reload();
      return;
    }
    const change = pendingChange();
    if (!change || !isIdle() || hasInput(change.route.remote)) return;
    const { route, next } = change;
    // The page on screen stays until the code of the new one is loaded.
    const isLoaded = await loader.load(next, route.page, { preload: true }).then(
      ({ release }) => release === next,
      () => false,
    );
    const current = pendingChange();
    if (isLoaded && isIdle() && !hasInput(route.remote) && current?.next.version === next.version) {
      loader.show(next);
      releases.applyReleaseMap(route.remote);
    } else if (!isLoaded) failed.add(`${next.name}@${next.version}`);
  }

  function scheduleRefresh(): void {
    natives.clearTimeout(timer);
    if (!releases.needsFullLoad && !pendingChange()) return;
    timer = natives.setTimeout(() => void refresh().finally(scheduleRefresh), checkEveryMs);
  }

  const stopInput = inputEvents.map((type) =>
    natives.listen(document, type, onInput, { capture: true, passive: true }),
  );
  const stop = reaction(() => releases.map, scheduleRefresh);
  return () => {
    stop();
    natives.clearTimeout(timer);
    for (const stopType of stopInput) stopType();
  };
}
