import { freezeInMap, unfreezeInMap } from '../map';
import { ConflictError, type Store, StoreError } from '../store/store';
import { type Change, type ChangeOptions, changeMap } from './change-map';

export interface FreezeOptions extends ChangeOptions {
  name: string;
  /** Default: every version. */
  version?: string;
  /** ConflictError when it is frozen by now. For callers that decided a moment ago. */
  once?: boolean;
}

/** Stops promotes of a name or of one version. Throws StoreError without a reason. */
export async function freeze(store: Store, options: FreezeOptions): Promise<Change> {
  if (!options.why) throw new StoreError('freeze needs a reason: --why "…"');
  const { name, version = null } = options;
  return changeMap(store, options, name, (map) => {
    if (options.once && map.ops.frozen[name]?.some((frozen) => frozen.version === version)) {
      throw new ConflictError(`${name}${version ? `@${version}` : ''} is frozen by now; nothing was changed`, map);
    }
    return freezeInMap(map, name, version, options);
  });
}

export async function unfreeze(store: Store, options: FreezeOptions): Promise<Change> {
  return changeMap(store, options, options.name, (map) =>
    unfreezeInMap(map, options.name, options.version ?? null, options),
  );
}
