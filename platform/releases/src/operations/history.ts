import type { MapChange } from '../contract';
import { AT_ONCE } from '../in-parallel';
import type { Store } from '../store/store';

export interface Revision extends MapChange {
  rev: number;
}

export async function history(
  store: Store,
  { name, limit = 20 }: { name?: string; limit?: number } = {},
): Promise<Revision[]> {
  const { rev: newest } = await store.readMap();
  const revisions: Revision[] = [];
  for (let rev = newest; rev > 0 && revisions.length < limit; rev -= AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, rev) }, (_, index) => rev - index);
    const maps = await Promise.all(batch.map((revision) => store.readRevision(revision)));
    for (const map of maps) {
      if (!map) continue;
      if (name && map.changed.name !== name && map.changed.name !== '*') continue;
      revisions.push({ rev: map.rev, ...map.changed });
    }
  }
  return revisions.slice(0, limit);
}
