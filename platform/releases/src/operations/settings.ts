import type { ChannelSettings } from '../contract';
import { settingsInMap } from '../map';
import { type Store, StoreError } from '../store/store';
import { type Change, type ChangeOptions, changeMap } from './change-map';

/** Of a channel. Throws StoreError without a setting or a reason, MapError `unchanged` and `bad-judges`. */
export async function changeSettings(
  store: Store,
  { provenance, judges, ...options }: ChangeOptions & Partial<ChannelSettings>,
): Promise<Change> {
  const wanted = { ...(provenance && { provenance }), ...(judges && { judges }) };
  if (Object.keys(wanted).length === 0) throw new StoreError('settings needs a setting: --provenance or --judges');
  if (!options.why) throw new StoreError('settings needs a reason: --why "…"');
  return changeMap(store, options, '*', (map) => settingsInMap(map, wanted, options));
}
