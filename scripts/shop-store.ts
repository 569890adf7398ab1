/** The release store of the shop: its gate knows the addresses and calls of the shop's server. */
import { openStore, type Store } from '@platform/releases';
import serverCalls from '@shop/server/calls.json';
import { SITE } from '@shop/shared/site';

export const openShopStore = (options: Parameters<typeof openStore>[0] = {}): Store => ({
  ...openStore(options),
  serverRoutes: SITE.serverRoutes,
  serverCalls: Object.keys(serverCalls),
});
