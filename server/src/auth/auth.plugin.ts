import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { sha256 } from '../crypto/tokens';
import { ShopError } from '../http/errors';
import type { App } from '../http/request';
import { SessionLookup } from './session-lookup';

/** Knows who asks. A bad token is 401 wherever it appears, so that a client signs out instead of acting as a guest. */
export function authenticate(app: App, context: AppContext): void {
  const sessions = new SessionLookup(context.db);
  const known = async (authorization: string) => {
    const token = /^Bearer ([\w-]{20,100})$/i.exec(authorization)?.[1];
    const tokenHash = sha256(token ?? '');
    const row = token ? await sessions.find(tokenHash) : undefined;
    if (!row) throw new ShopError(ErrorCode.Unauthorized);
    if (row.is_usable === 0) throw new ShopError(ErrorCode.Unauthorized);
    return { id: row.id, isVip: row.is_vip, tokenHash };
  };
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (!request.url.startsWith('/api/')) return done();
    const { authorization } = request.headers;
    if (!authorization)
      return done(request.routeOptions.config.access === 'user' ? new ShopError(ErrorCode.Unauthorized) : null);
    known(authorization).then((viewer) => {
      request.viewer = viewer;
      done();
    }, done);
  });
}
