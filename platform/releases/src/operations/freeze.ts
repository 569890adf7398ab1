import { freezeInMap, unfreezeInMap } from '../map';
import { type Store, StoreError } from '../store/store';
import { type Change, type ChangeOptions, changeMap } from './change-map';

export interface FreezeOptions extends ChangeOptions {
  name: string;
  version?: string;
}

/** Stops promotes of a name or of one version. Throws StoreError without a reason. */
export async function freeze(store: Store, options: FreezeOptions): Promise<Change> {
  if (!options.why) throw new StoreError('freeze needs a reason: --why "…"');
  const { name, version = null } = options;
  return changeMap(store, options, name, (map) => freezeInMap(map, name, version, options));
}

export async function unfreeze(store: Store, options: FreezeOptions): Promise<Change> {
  return changeMap(store, options, options.name, (map) =>
    unfreezeInMap(map, options.name, options.version ?? null, options),
  );
}
