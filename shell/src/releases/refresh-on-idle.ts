/**
 * A tab that nobody touches follows the release map by itself: the page on screen changes to the release that is live
 * now, and a new shell is taken by a full load. It waits while the shopper could lose something: after a touch, while a
 * dialog is open, and for as long as something typed into the area (for a new shell: into any area) is still there.
 * Then the next navigation takes the release, as ever.
 */
import { reaction } from '@shop/shared/state';
import type { ReleasesStore } from './releases.store';
import type { RemoteLoader } from './remote-loader';

const idleAfterMs = 8_000;
const lookEveryMs = 2_000;
const touches = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'input'] as const;
/** Parts of a form that change by a press, without an input event. */
const choices = 'form, fieldset, [role="radiogroup"], [role="switch"], .ui-stepper';

interface IdleOptions {
  releases: Pick<ReleasesStore, 'map' | 'current' | 'offered' | 'applyReleaseMap' | 'needsFullLoad'>;
  loader: RemoteLoader;
  /** The route on screen, if a remote draws it. */
  onScreen: () => { remote: string; page: string } | null;
  reload?: () => void;
  now?: () => number;
}

/** Watches from now on. Returns what ends it. */
export function refreshOnIdle(options: IdleOptions): () => void {
  const { releases, loader, onScreen, reload = () => window.location.reload(), now = Date.now } = options;
  const typedInto = new WeakSet<Element>();
  /** Releases that did not load when they were tried: a navigation tries them again, this does not. */
  const given = new Set<string>();
  let touched = now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onTouch = (event: Event) => {
    touched = now();
    const target = event.target instanceof Element ? event.target : null;
    const changes = event.type === 'input' || (event.type === 'pointerdown' && target?.closest(choices));
    const page = changes ? target?.closest('[data-remote]') : null;
    if (page) typedInto.add(page);
  };

  function isTyped(remote?: string): boolean {
    const pages = [...document.querySelectorAll(remote ? `[data-remote="${remote}"]` : '[data-remote]')];
    return pages.some((page) => typedInto.has(page));
  }

  const isIdle = () =>
    document.visibilityState === 'visible' &&
    now() - touched >= idleAfterMs &&
    document.querySelector('[role="dialog"], [role="alertdialog"], dialog[open]') === null;

  /** The page on screen that a newer release would draw, if there is one. */
  function pending() {
    const route = onScreen();
    const next = route && releases.offered(route.remote);
    if (!route || !next || next.version === releases.current(route.remote)?.version) return null;
    return given.has(`${next.name}@${next.version}`) ? null : { route, next };
  }

  async function look(): Promise<void> {
    if (releases.needsFullLoad) {
      if (isIdle() && !isTyped()) reload();
      return;
    }
    const change = pending();
    if (!change || !isIdle() || isTyped(change.route.remote)) return;
    const { route, next } = change;
    // Its code comes first: what is on screen stays until the page that replaces it is there.
    const arrived = await loader.load(next, route.page, { preload: true }).then(
      ({ release }) => release === next,
      () => false,
    );
    const still = pending();
    if (arrived && isIdle() && !isTyped(route.remote) && still?.next.version === next.version) {
      loader.show(next);
      releases.applyReleaseMap(route.remote);
    } else if (!arrived) given.add(`${next.name}@${next.version}`);
  }

  function lookSoon(): void {
    clearTimeout(timer);
    if (!releases.needsFullLoad && !pending()) return;
    timer = setTimeout(() => void look().finally(lookSoon), lookEveryMs);
  }

  for (const touch of touches) document.addEventListener(touch, onTouch, { capture: true, passive: true });
  const stop = reaction(() => releases.map, lookSoon);
  return () => {
    stop();
    clearTimeout(timer);
    for (const touch of touches) document.removeEventListener(touch, onTouch, { capture: true });
  };
}
