import { versionsInMap } from '../map';
import type { Store } from '../store/store';

export interface PruneOptions {
  /** The number of releases of a name that stay besides those in the map; default 5. */
  keep?: number;
  /** Releases that were live or published within this number of days stay, for open tabs; default 7. */
  days?: number;
  dryRun?: boolean;
  now?: number;
}

const DAY_MS = 86_400_000;

/** Removes old releases. The releases in the map, and those that it needed within `days`, stay. */
export async function prune(store: Store, options: PruneOptions = {}) {
  const { keep = 5, days = 7, dryRun = false, now = Date.now() } = options;
  const isRecent = (at: string) => now - Date.parse(at) < days * DAY_MS;
  const needed = await releasesInMap(store, isRecent);
  const removed: string[] = [];
  const kept: string[] = [];
  for (const name of await store.names()) {
    for (const [index, { version, at }] of (await store.publications(name)).entries()) {
      const label = `${name}@${version}`;
      // A rollback may have made it live since the map was read.
      const isLiveNow = async () => !dryRun && versionsInMap(await store.readMap(), name).has(version);
      const stays = index < keep || needed.has(label) || isRecent(at) || (await isLiveNow());
      (stays ? kept : removed).push(label);
      if (!stays && !dryRun) await store.removeRelease(name, version);
    }
  }
  if (!dryRun) await store.blobs.sweep();
  return { removed, kept, dryRun };
}

/** Releases in the live map and in its recent revisions: an open tab loads page chunks only when it visits the page. */
async function releasesInMap(store: Store, isRecent: (at: string) => boolean): Promise<Set<string>> {
  const needed = new Set<string>();
  const map = await store.readMap();
  for (let rev = map.rev; rev > 0; rev -= 1) {
    const revision = rev === map.rev ? map : await store.readRevision(rev);
    if (!revision) continue;
    for (const name of Object.keys(revision.microFrontends)) {
      for (const version of versionsInMap(revision, name)) needed.add(`${name}@${version}`);
    }
    if (!isRecent(revision.changed.at)) break;
  }
  return needed;
}
