import { ErrorCode } from '@shop/shared/domain';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { actingAs } from '../platform/audit/audit';
import type { Database } from '../platform/db/database';
import { cookieOf, setCookie } from '../platform/http/cookies';
import { ShopError } from '../platform/http/errors';
import type { App } from '../platform/http/request';
import { isServed, type StaffAccess, type StaffRole } from './roles';
import { actorOf, findStaff, type StaffViewer } from './staff-sessions.service';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in at /staff. */
    staff: StaffViewer | undefined;
  }
  interface FastifyContextConfig {
    /** Whom a call of /staff serves; without it the call does not register. */
    staff?: StaffAccess;
  }
}

const COOKIE = 'staff';
/** "act" for what somebody did, "watch" for what the page asks by itself; a form of another site can send neither. */
const HEADER = 'x-staff';

export const serves = (...roles: StaffRole[]) => ({ config: { staff: roles } });
export const servesEverybody = { config: { staff: 'everybody' } } as const;
export const servesGuests = { config: { staff: 'guest' } } as const;

export function staffOf(request: FastifyRequest): StaffViewer {
  if (!request.staff) throw new ShopError(ErrorCode.Unauthorized);
  return request.staff;
}

/** An empty `token` ends it. */
export const setSession = (request: FastifyRequest, reply: FastifyReply, token: string, maxAge = 0) =>
  setCookie(request, reply, COOKIE, token, { path: '/staff', httpOnly: true, sameSite: 'strict', maxAge });

const tokenOf = (request: FastifyRequest) => /^[\w-]{20,100}$/.exec(cookieOf(request, COOKIE) ?? '')?.[0];

/** Whether the page of /staff itself asks. Old browsers do not say from which site a request comes. */
function isOwn({ headers, hostname }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site, [HEADER]: header } = headers;
  if (header !== 'act' && header !== 'watch') return false;
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || URL.parse(origin)?.hostname === hostname;
}

/** Every call below needs a session, one of its roles, and the page's header; what it enters into the audit log is by that person. */
export function guardStaffCalls(app: App, db: Database): void {
  app.decorateRequest('staff', undefined);
  app.addHook('onRoute', ({ url, config }: RouteOptions) => {
    if (!config?.staff) throw new Error(`${url} does not say whom it serves`);
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!isOwn(request)) throw new ShopError(ErrorCode.Forbidden);
    const access = request.routeOptions.config.staff as StaffAccess;
    if (access === 'guest') return;
    const token = tokenOf(request);
    request.staff = token ? await findStaff(db, token, request.headers[HEADER] === 'act') : undefined;
    if (!request.staff) throw new ShopError(ErrorCode.Unauthorized);
    if (!isServed(access, request.staff.role)) throw new ShopError(ErrorCode.Forbidden);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.staff) actingAs(actorOf(request.staff, request.ip), done);
    else done();
  });
}
