import { MapError, renderingOffInMap, renderingOnInMap } from '../map';
import { type Store, StoreError } from '../store/store';
import { type Change, type ChangeOptions, changeMap } from './change-map';

export interface RenderingOptions extends ChangeOptions {
  name: string;
}

/** Documents of a remote contain skeletons from now on, without a release. Throws StoreError without a reason. */
export async function renderingOff(store: Store, options: RenderingOptions): Promise<Change> {
  const { name, why } = options;
  if (!why) throw new StoreError('render-off needs a reason: --why "…"');
  return changeMap(store, options, name, (map) => {
    if (!map.microFrontends[name]) throw new MapError('unknown-name', `no release of ${name} is live`);
    return renderingOffInMap(map, name, options);
  });
}

export async function renderingOn(store: Store, options: RenderingOptions): Promise<Change> {
  return changeMap(store, options, options.name, (map) => renderingOnInMap(map, options.name, options));
}
