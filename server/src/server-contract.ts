import type { ServerContract } from '@platform/releases';
import { SITE } from '@shop/shared/site';
import serverCalls from './generated/calls.json';

/** The routes and calls of this server: the gate refuses a release that does not fit them. */
export const serverContract: ServerContract = { routes: SITE.serverRoutes, calls: Object.keys(serverCalls) };
