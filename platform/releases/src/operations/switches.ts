import { freezeInMap, MapError, renderingOffInMap, renderingOnInMap, unfreezeInMap } from '../map';
import { type Store, StoreError } from '../store/store';
import { type Change, type ChangeOptions, changeMap } from './change-map';

interface SwitchOptions extends ChangeOptions {
  name: string;
  version?: string;
}

/** Stops promotes of a name or of one version. Throws StoreError without a reason. */
export async function freeze(store: Store, options: SwitchOptions): Promise<Change> {
  if (!options.why) throw new StoreError('freeze needs a reason: --why "…"');
  const { name, version = null } = options;
  return changeMap(store, options, name, (map) => freezeInMap(map, name, version, options));
}

export async function unfreeze(store: Store, options: SwitchOptions): Promise<Change> {
  return changeMap(store, options, options.name, (map) =>
    unfreezeInMap(map, options.name, options.version ?? null, options),
  );
}

/** Documents of a remote contain skeletons from now on, without a release. Throws StoreError without a reason. */
export async function renderingOff(store: Store, options: SwitchOptions): Promise<Change> {
  const { name, why } = options;
  if (!why) throw new StoreError('render-off needs a reason: --why "…"');
  return changeMap(store, options, name, (map) => {
    if (!map.microFrontends[name]) throw new MapError('unknown-name', `no release of ${name} is live`);
    return renderingOffInMap(map, name, options);
  });
}

export async function renderingOn(store: Store, options: SwitchOptions): Promise<Change> {
  return changeMap(store, options, options.name, (map) => renderingOnInMap(map, options.name, options));
}
