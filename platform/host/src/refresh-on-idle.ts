/**
 * Applies a new release map in an idle tab: the page on screen switches to the live release, and a new shell is loaded by a
 * reload. It waits after user input, while a dialog is open, during a call that changes something, and as long as a page of that
 * remote (for a new shell: of any remote) holds user input; then only a navigation applies the map. A release that ran here and
 * was rolled back is dropped, and the document is reloaded as soon as that loses nothing.
 */
import { reaction } from 'mobx';
import { canLoadCleanly, loadCleanly } from './clean-load';
import { natives } from './natives';
import type { ReleasesStore } from './releases.store';
import type { RemoteLoader } from './remote-loader';
import { hasOpenDialog, hasUnsavedInput, idleMs, isChangingSomething } from './unsaved-input';

const idleAfterMs = 8_000;
/** A clean load happens between two clicks, not in the middle of one. */
const pauseMs = 2_000;
const checkEveryMs = 2_000;

interface IdleOptions {
  releases: ReleasesStore;
  loader: Pick<RemoteLoader, 'load' | 'show' | 'unload'>;
  onScreen: () => { remote: string; page: string } | null;
}

export function refreshOnIdle({ releases, loader, onScreen }: IdleOptions): void {
  const failed = new Set<string>();
  const dropped = new Set<string>();
  let timer: number | undefined;

  const isIdle = () =>
    document.visibilityState === 'visible' && idleMs() >= idleAfterMs && !hasOpenDialog() && !isChangingSomething();

  function pendingChange() {
    const route = onScreen();
    const next = route && releases.offered(route.remote);
    if (!route || !next || next.version === releases.current(route.remote)?.version) return null;
    return failed.has(keyOf(next)) ? null : { route, next };
  }

  function dropWithdrawn(): void {
    for (const release of releases.withdrawn) {
      const { name, version } = release;
      const isOnScreen = onScreen()?.remote === name && releases.current(name)?.version === version;
      if (dropped.has(keyOf(release)) || isOnScreen || hasUnsavedInput(name)) continue;
      dropped.add(keyOf(release));
      releases.applyReleaseMap(name);
      loader.unload(release);
    }
  }

  function loadedCleanly(): boolean {
    if (!releases.needsCleanLoad) return false;
    const isPause = document.visibilityState === 'hidden' || idleMs() >= pauseMs;
    if (!isPause || !canLoadCleanly()) return false;
    loadCleanly();
    return true;
  }

  async function refresh(): Promise<void> {
    dropWithdrawn();
    if (loadedCleanly()) return;
    if (releases.needsFullLoad) {
      // A cache may still serve the document with the old shell.
      if (isIdle() && canLoadCleanly()) loadCleanly();
      return;
    }
    const change = pendingChange();
    if (!change || !isIdle() || hasUnsavedInput(change.route.remote)) return;
    const { route, next } = change;
    // The page on screen stays until the code of the new one is loaded.
    const isLoaded = await loader.load(next, route.page, { preload: true }).then(
      ({ release }) => release === next,
      () => false,
    );
    const current = pendingChange();
    if (isLoaded && isIdle() && !hasUnsavedInput(route.remote) && current?.next.version === next.version) {
      loader.show(next);
      releases.applyReleaseMap(route.remote);
    } else if (!isLoaded) failed.add(keyOf(next));
  }

  function scheduleRefresh(): void {
    natives.clearTimeout(timer);
    if (!releases.needsFullLoad && !releases.needsCleanLoad && !pendingChange()) return;
    timer = natives.setTimeout(() => void refresh().finally(scheduleRefresh), checkEveryMs);
  }

  reaction(() => [releases.map, releases.needsCleanLoad], scheduleRefresh, { fireImmediately: true });
}

const keyOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`;
