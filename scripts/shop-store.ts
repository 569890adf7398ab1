import { openStore, type Store } from '@platform/releases';

/** The release store of the shop. Default: RELEASE_STORE, then the store in DATA_DIR. */
export const openShopStore = (
  env: NodeJS.ProcessEnv,
  { place = env.RELEASE_STORE, dataDir = env.DATA_DIR ?? '.data' }: { place?: string; dataDir?: string } = {},
): Store => openStore(place === undefined ? { dataDir } : { place });
