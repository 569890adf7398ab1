import type { ProvenanceSetting, ReleaseMap } from '../contract';
import { type Author, MapError, nextRevision } from './map-change';

export const provenanceSetting = ({ ops }: ReleaseMap): ProvenanceSetting => ops.settings?.provenance ?? 'off';

/** Throws MapError `unchanged` when it is set so already. */
export function settingsInMap(map: ReleaseMap, provenance: ProvenanceSetting, author: Author): ReleaseMap {
  const from = provenanceSetting(map);
  if (from === provenance) throw new MapError('unchanged', `provenance is ${provenance} already`);
  const change = { action: 'settings', name: '*', from: `provenance ${from}`, to: `provenance ${provenance}` } as const;
  const next = nextRevision(map, change, author);
  next.ops.settings = { provenance };
  return next;
}
