/** The release store of the shop, and the server's own contract: the gate refuses a release that does not fit it. */
import { openStore, type ServerContract, type Store } from '@platform/releases';
import serverCalls from '@shop/server/calls.json';
import { SITE } from '@shop/shared/site';

export const SHOP_SERVER: ServerContract = { routes: SITE.serverRoutes, calls: Object.keys(serverCalls) };

/** Default: RELEASE_STORE, then the store in DATA_DIR. */
export const openShopStore = (
  env: NodeJS.ProcessEnv,
  { place = env.RELEASE_STORE, dataDir = env.DATA_DIR ?? '.data' }: { place?: string; dataDir?: string } = {},
): Store => openStore(place === undefined ? { dataDir } : { place });
