import { ErrorCode } from '@shop/shared/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { AppContext } from '../../context';
import { sha256 } from '../../platform/crypto/tokens';
import { ShopError } from '../../platform/http/errors';
import type { Viewer } from '../../platform/http/request';
import { SessionLookup, type SessionUser } from './session-lookup';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Finds the session in the statement that reads the route's data, instead of in a separate one. */
    findSession?(tokenHash: Buffer, request: FastifyRequest): Promise<SessionUser | undefined>;
  }
}

/**
 * Sets `request.viewer` from the bearer token. A bad token is Unauthorized on every route under /api, so that a client signs out
 * instead of continuing as a guest.
 */
export const authentication = fastifyPlugin(
  async (app: FastifyInstance, { db, config }: Pick<AppContext, 'db' | 'config'>) => {
    const sessions = new SessionLookup(db, config.sessionIdleSeconds);
    const viewerBehind = async (authorization: string, request: FastifyRequest): Promise<Viewer> => {
      const token = /^Bearer ([\w-]{20,100})$/i.exec(authorization)?.[1];
      const tokenHash = sha256(token ?? '');
      const { findSession } = request.routeOptions.config;
      const findRow = () => (findSession ? findSession(tokenHash, request) : sessions.find(tokenHash));
      const row = token ? await findRow() : undefined;
      if (!row || row.is_usable === 0) throw new ShopError(ErrorCode.Unauthorized);
      return { id: row.id, isVip: row.is_vip, tokenHash };
    };
    app.decorateRequest('viewer', undefined);
    app.addHook('preParsing', (request, _reply, _payload, done) => {
      if (!request.url.startsWith('/api/')) return done();
      const { authorization } = request.headers;
      if (!authorization) {
        return done(request.routeOptions.config.access === 'user' ? new ShopError(ErrorCode.Unauthorized) : null);
      }
      viewerBehind(authorization, request).then((viewer) => {
        request.viewer = viewer;
        done();
      }, done);
    });
  },
);
