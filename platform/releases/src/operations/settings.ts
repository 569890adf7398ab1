import type { ProvenanceSetting } from '../contract';
import { settingsInMap } from '../map';
import { type Store, StoreError } from '../store/store';
import { type Change, type ChangeOptions, changeMap } from './change-map';

/** Of a channel. Throws StoreError without a reason, MapError `unchanged`. */
export async function changeSettings(
  store: Store,
  options: ChangeOptions & { provenance: ProvenanceSetting },
): Promise<Change> {
  if (!options.why) throw new StoreError('settings needs a reason: --why "…"');
  return changeMap(store, options, '*', (map) => settingsInMap(map, options.provenance, options));
}
