/**
 * All release actions, for programs with a key and for staff in the console. They call the same functions as the commands; the
 * caller comes from the key or the session, never from the request's body.
 */
import { GateQueue, type GateStep, ReleaseKeys, type Store } from '@platform/releases';
import type { BackOffice, DomainRoutes, ServerPlugin } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { serverContract } from '@shop/server/server-contract';
import { backOffice } from '../back-office';
import { staffGuard } from '../people/staff-access';
import { staffPage } from '../staff-page.plugin';
import { ApiError, explained } from './api/api-error';
import { callersOfConsole, callersWithKeys, type IdentifyCaller } from './api/callers';
import { type Forge, parseForges } from './api/forge-settings';
import { actionRoutes, forgeSessionRoutes, keyRoutes, publishRoutes, readRoutes } from './api/release.routes';
import { ReleaseApi, type ReleaseApiOptions } from './api/release-api';
import { NO_STORE_HEADERS, opsAudit, unknownCallers } from './ops-audit';
import { StateReader } from './state-reader';

export interface ReleasePluginsOptions {
  store: Store;
  /** It defaults to the forges of the environment. */
  forges?: Forge[];
  browserGate?: () => Promise<GateStep>;
  address?: () => string;
  now?: () => number;
}

const NO_BROWSER: GateStep = {
  check: 'browser',
  run: async () => [{ check: 'browser', outcome: 'failed', detail: 'this server has no browser to check it in' }],
};

/** A server without a database gets the release calls, but no staff calls. */
export function backOfficeWithReleases(options: ReleasePluginsOptions): BackOffice {
  const { store, browserGate, now } = options;
  const staff = backOffice();
  let { forges = [] } = options;
  /** Set by the plugin of the shop, which registers first: both servers share the gate's queue. */
  let apiOptions: ReleaseApiOptions | undefined;
  const releases: ServerPlugin = async (app, { context, pages }) => {
    const publicUrl = pages?.config.providers.publicUrl;
    const origin = publicUrl ? new URL(publicUrl).origin : '';
    const gateQueue = new GateQueue();
    const db = context?.db.as('write', 'ops');
    const webhooks = context?.config.webhooks ?? { urls: [], secret: '' };
    const audit = opsAudit(db);
    const shop = () => origin || (options.address?.() ?? '');
    const shared: ReleaseApiOptions = {
      store,
      server: serverContract,
      gateQueue,
      audit,
      state: new StateReader({ store, shop, gateQueue, db, webhooks }),
      browserGate: browserGate ?? (async () => NO_BROWSER),
    };
    apiOptions = shared;
    const forPrograms: DomainRoutes<object> = async (app) => {
      const keys = new ReleaseKeys(store.blobs, now);
      const auditUnknown = unknownCallers(audit, now);
      const api = releaseCalls(app, shared, keys, callersWithKeys(keys, auditUnknown), `${app.prefix}/session`);
      publishRoutes(app, api);
      forgeSessionRoutes(app, { keys, forges, audit, auditUnknown, now });
    };
    await app.register(forPrograms, { prefix: '/ops/api' });
  };
  const releasesConsole: ServerPlugin = async (app, { context, pages }) => {
    if (!context || !apiOptions) return;
    const shared = apiOptions;
    const admit = staffGuard(context.db.as('write', 'staff'), context.config.staffUrl ?? '');
    const forStaff: DomainRoutes<object> = async (app) => {
      app.decorateRequest('staff', undefined);
      const api = releaseCalls(app, shared, new ReleaseKeys(store.blobs), callersOfConsole(admit));
      app.get('/state', { schema: { hide: true } as object }, async (request) => ({
        result: await shared.state.read(api.callerOf(request)),
      }));
    };
    await app.register(forStaff, { prefix: '/staff/api/releases' });
    const pictureOrigins = pages?.config.pictureOrigins;
    await app.register(staffPage, { pictureOrigins });
  };
  return {
    ...staff,
    readSettings: (source) => {
      forges = options.forges ?? parseForges(source);
    },
    plugins: [releases],
    consolePlugins: [...staff.consolePlugins, releasesConsole],
  };
}

function releaseCalls(
  app: App,
  options: ReleaseApiOptions,
  keys: ReleaseKeys,
  identifyCaller: IdentifyCaller,
  open?: string,
): ReleaseApi {
  const api = new ReleaseApi(options, identifyCaller);
  app.setErrorHandler((error, request, reply) => {
    const { status, error: shown } = explained(error);
    if (shown.kind === 'failed') request.log.error({ err: error }, 'a release API call failed');
    if (status === 503) reply.header('retry-after', '60');
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    return reply.code(status).headers(NO_STORE_HEADERS).send({ error: shown });
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(NO_STORE_HEADERS);
    if (!open || request.routeOptions.url !== open) await api.authenticate(request);
  });
  readRoutes(app, api);
  actionRoutes(app, api);
  keyRoutes(app, api, keys);
  app.all('/*', { schema: { hide: true } as object }, async () => {
    throw new ApiError('invalid', 404, 'the release API has no such call');
  });
  return api;
}
