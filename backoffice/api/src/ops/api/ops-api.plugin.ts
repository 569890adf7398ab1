/**
 * All release actions, for programs with a key and for staff in the console. They call the same functions as the commands; the
 * caller comes from the key or the session, never from the request's body.
 */
import { ReleaseKeys } from '@platform/releases';
import type { DomainRoutes } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import type { AdmitStaff } from '../../people/staff-access';
import { NO_STORE_HEADERS, unknownCallers } from '../ops-audit';
import type { StateReader } from '../state-reader';
import { ApiError, explained } from './api-error';
import { callersOfConsole, callersWithKeys, type IdentifyCaller } from './callers';
import type { Forge } from './forge-settings';
import { actionRoutes, forgeSessionRoutes, keyRoutes, publishRoutes, readRoutes } from './release.routes';
import { ReleaseApi, type ReleaseApiOptions } from './release-api';

interface ProgramApiOptions extends ReleaseApiOptions {
  forges: readonly Forge[];
  now?: () => number;
}

export function releaseApiForPrograms(options: ProgramApiOptions): DomainRoutes<object> {
  const { store, audit, forges, now } = options;
  return async (app) => {
    const keys = new ReleaseKeys(store.blobs, now);
    const auditUnknown = unknownCallers(audit, now);
    const api = resources(app, options, keys, callersWithKeys(keys, auditUnknown), `${app.prefix}/session`);
    publishRoutes(app, api);
    forgeSessionRoutes(app, { keys, forges, audit, auditUnknown, now });
  };
}

interface StaffApiOptions extends ReleaseApiOptions {
  admit: AdmitStaff;
  state: StateReader;
}

export function releaseApiForStaff(options: StaffApiOptions): DomainRoutes<object> {
  const { store, admit, state } = options;
  return async (app) => {
    app.decorateRequest('staff', undefined);
    const api = resources(app, options, new ReleaseKeys(store.blobs), callersOfConsole(admit));
    app.get('/state', { schema: { hide: true } as object }, async (request) => ({
      result: await state.read(api.callerOf(request)),
    }));
  };
}

function resources(
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
