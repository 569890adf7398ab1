import type { ChannelSettings } from '../contract';
import { settingsInMap } from '../map';
import { type Store, StoreError } from '../store/store';
import { type Change, type ChangeOptions, changeMap } from './change-map';

/** Of a channel. Throws StoreError without a reason, MapError `unchanged` and `bad-judges`. */
export async function changeSettings(store: Store, options: ChangeOptions & ChannelSettings): Promise<Change> {
  const { provenance, judges, why } = options;
  if (!why) throw new StoreError('settings needs a reason: --why "…"');
  return changeMap(store, options, '*', (map) => settingsInMap(map, { provenance, judges }, options));
}
