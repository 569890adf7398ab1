import type { ReleaseMap } from '../contract';
import { COPY_KEY, revisionKey } from './map-files';
import type { Store } from './store';

export interface MapSource {
  /** The current map; the last one read if the store cannot be reached. */
  get(): Promise<ReleaseMap>;
}

/** A revision whose writer died before it wrote the copy is found after this time. */
const HISTORY_MS = 1_000;

/**
 * A map in memory for a server; a change by another process shows at the next call. A bucket is asked at most once in `readAgainMs`;
 * a folder is checked every time, which costs a stat call. Other calls that come while a check runs share the next one.
 */
export function mapSource(store: Store): MapSource {
  const { readAgainMs } = store.blobs;
  let cached: { map: ReleaseMap; stamp: string | null; at: number } | null = null;
  let running: Promise<ReleaseMap> | null = null;
  let next: Promise<ReleaseMap> | null = null;
  let lookedAt = 0;
  const newerRevision = (rev: number): Promise<string | null> | null => {
    if (Date.now() - lookedAt < HISTORY_MS) return null;
    lookedAt = Date.now();
    return store.blobs.stamp(revisionKey(rev + 1));
  };

  const check = async (): Promise<ReleaseMap> => {
    try {
      const [stamp, newer] = await Promise.all([store.blobs.stamp(COPY_KEY), cached && newerRevision(cached.map.rev)]);
      if (cached && cached.stamp === stamp && newer === null) {
        cached.at = Date.now();
        return cached.map;
      }
      const map = await store.readMap();
      // A store that lost its maps must not empty the site. Reading may have repaired the copy, so the stamp can be stale: then
      // the next call reads once more.
      if (cached && map.rev < cached.map.rev) return cached.map;
      cached = { map, stamp, at: Date.now() };
      return map;
    } catch (error) {
      if (cached) return cached.map;
      throw error;
    }
  };
  /** Synchronous, for back ends with `stampNow`. */
  const isUnchanged = ({ stamp }: { stamp: string | null }): boolean => {
    if (Date.now() - lookedAt >= HISTORY_MS) return false;
    try {
      return stamp !== null && store.blobs.stampNow?.(COPY_KEY) === stamp;
    } catch {
      return false;
    }
  };
  const start = (): Promise<ReleaseMap> => {
    const started = check().finally(() => {
      if (running === started) running = null;
    });
    running = started;
    return started;
  };

  return {
    async get() {
      if (cached && Date.now() - cached.at < readAgainMs) return cached.map;
      if (cached && isUnchanged(cached)) return cached.map;
      if (!running) return start();
      // The running check may have read the store before the change that this call must see.
      next ??= running
        .catch(() => {})
        .then(() => {
          next = null;
          return start();
        });
      return next;
    },
  };
}
