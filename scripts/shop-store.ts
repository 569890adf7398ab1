/** The release store of the shop, and what its server answers itself: the gate refuses a release that does not fit it. */
import path from 'node:path';
import { openStore, type ServerContract, type Store } from '@platform/releases';
import serverCalls from '@shop/server/calls.json';
import { SITE } from '@shop/shared/site';

export const SHOP_SERVER: ServerContract = { routes: SITE.serverRoutes, calls: Object.keys(serverCalls) };

export const openShopStore = (env: NodeJS.ProcessEnv, given: { place?: string; dataDir?: string } = {}): Store =>
  openStore({
    place: given.place ?? env.RELEASE_STORE ?? path.join(given.dataDir ?? env.DATA_DIR ?? '.data', 'store'),
  });
