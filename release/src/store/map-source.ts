import type { ReleaseMap } from '../contract';
import type { Store } from './store';

export interface MapSource {
  /** The map as it is now. With the store out of reach, the last one that was read. */
  get(): Promise<ReleaseMap>;
}

/**
 * A map in memory for a server: a change made by another process shows at the next call. `maxAgeMs` spares a remote store; a
 * folder is asked every time, which costs two stat calls.
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
        // Calls overlap, and an answer that arrives late must not replace a newer one; a store that lost its maps must not
        // empty the shop. Reading may have mended the copy, so the stamp can be stale: then the next call reads once more.
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
