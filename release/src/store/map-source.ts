import type { ReleaseMap } from '../contract';
import type { Store } from './store';

export interface MapSource {
  /** The current map; the last one read when the store cannot be reached. */
  get(): Promise<ReleaseMap>;
}

/**
 * A map in memory for a server; a change by another process shows at the next call. `maxAgeMs` limits the requests to a bucket; a
 * folder is checked every time, which costs two stat calls.
 */
export function mapSource(store: Store, channel: string, maxAgeMs = store.blobs.readAgainMs): MapSource {
  let cached: { map: ReleaseMap; stamp: string | null; at: number } | null = null;
  const current = `maps/${channel}.json`;

  return {
    async get() {
      if (cached && maxAgeMs > 0 && Date.now() - cached.at < maxAgeMs) return cached.map;
      try {
        const stamp = await store.blobs.stamp(current);
        const next = cached ? await store.blobs.stamp(`maps/${channel}/history/${cached.map.rev + 1}.json`) : null;
        if (cached && cached.stamp === stamp && next === null) {
          cached.at = Date.now();
          return cached.map;
        }
        const map = await store.readMap(channel);
        // Calls overlap: a late result must not replace a newer one, and a store that lost its maps must not empty the shop.
        // Reading may have repaired the copy, so the stamp can be stale: then the next call reads once more.
        if (cached && map.rev < cached.map.rev) return cached.map;
        cached = { map, stamp, at: Date.now() };
        return map;
      } catch (error) {
        if (cached) return cached.map;
        throw error;
      }
    },
  };
}
