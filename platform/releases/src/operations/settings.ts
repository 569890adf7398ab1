import type { ChannelSettings } from '../contract';
import { settingsInMap } from '../map';
import { type Store, StoreError } from '../store/store';
import { type Change, type ChangeOptions, changeMap } from './change-map';

/** Of a channel. Throws StoreError without a setting or a reason, MapError `unchanged`. */
export async function changeSettings(
  store: Store,
  { provenance, ...options }: ChangeOptions & Partial<ChannelSettings>,
): Promise<Change> {
  if (!provenance) throw new StoreError('settings needs a setting: --provenance');
  if (!options.why) throw new StoreError('settings needs a reason: --why "…"');
  return changeMap(store, options, '*', (map) => settingsInMap(map, { provenance }, options));
}
