import { isSecureCookie } from '@platform/pages/cookies';
import { actingAs } from '@shop/server/platform/audit/audit';
import type { Database } from '@shop/server/platform/db/database';
import { ShopError } from '@shop/server/platform/http/errors';
import type { App } from '@shop/server/platform/http/request';
import { ErrorCode } from '@shop/shared/domain';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type BackOfficeSessions, type BackOfficeVisitor, isInDatabase } from './back-office-sessions';
import { isServed, type StaffAccess, type StaffRole } from './roles';
import type { StaffMe } from './staff.schemas';
import { actorOf, findStaff, type StaffViewer } from './staff-sessions.service';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in in the back office. */
    staff: StaffViewer | undefined;
    /** The same by the cookie. */
    visitor: BackOfficeVisitor | undefined;
  }
  interface FastifyContextConfig {
    /** Whom a call of /staff serves; without it the call does not register. */
    staff?: StaffAccess;
  }
}

/** "act" for what somebody did, "watch" for what the page asks by itself; a form of another site can send neither. */
const HEADER = 'x-staff';

export const serves = (...roles: StaffRole[]) => ({ config: { staff: roles } });
export const servesEverybody = { config: { staff: 'everybody' } } as const;
export const servesSessions = { config: { staff: 'session' } } as const;
export const servesGuests = { config: { staff: 'guest' } } as const;

export function staffOf(request: FastifyRequest): StaffViewer {
  if (!request.staff) throw new ShopError(ErrorCode.Unauthorized);
  return request.staff;
}

export const toMe = ({ person, role }: BackOfficeVisitor): StaffMe => ({ name: person.name, role, way: person.way });

export function visitorOf(request: FastifyRequest): BackOfficeVisitor {
  if (!request.visitor) throw new ShopError(ErrorCode.Unauthorized);
  return request.visitor;
}

export const setCookies = (
  request: FastifyRequest,
  reply: FastifyReply,
  sessions: BackOfficeSessions,
  visitor: BackOfficeVisitor,
) => reply.header('set-cookie', sessions.cookies(visitor, isSecureCookie(request)));

/** Whether the back office's own page asks. Old browsers do not say from which site a request comes. */
export function isOwn({ headers, hostname }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site, [HEADER]: header } = headers;
  if (header !== 'act' && header !== 'watch') return false;
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || URL.parse(origin)?.hostname === hostname;
}

/** Every call below needs a session, one of its roles, and the page's header; what it enters into the audit log is by that person. */
export function guardStaffCalls(app: App, db: Database, sessions: BackOfficeSessions): void {
  app.decorateRequest('staff', undefined);
  app.decorateRequest('visitor', undefined);
  app.addHook('onRoute', ({ url, config }: RouteOptions) => {
    if (!config?.staff) throw new Error(`${url} does not say whom it serves`);
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!isOwn(request)) throw new ShopError(ErrorCode.Forbidden);
    const access = request.routeOptions.config.staff as StaffAccess;
    if (access === 'guest') return;
    const visitor = sessions.read(request.headers.cookie);
    if (!visitor) throw new ShopError(ErrorCode.Unauthorized);
    request.visitor = visitor;
    const find = () => findStaff(db, visitor, request.headers[HEADER] === 'act');
    if (access === 'session') {
      // Somebody who was idle signs out as well.
      const isGood = request.method === 'DELETE' || !isInDatabase(visitor) || (await find().then(Boolean, () => true));
      // The calls for releases do not ask the database.
      if (!isGood) await sessions.end(visitor);
      if (!isGood || (await sessions.hasEnded(visitor))) throw new ShopError(ErrorCode.Unauthorized);
      return;
    }
    if (!isServed(access, visitor.role)) throw new ShopError(ErrorCode.Forbidden);
    request.staff = isInDatabase(visitor) ? await find() : undefined;
    if (!request.staff) throw new ShopError(ErrorCode.Unauthorized);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.staff) actingAs(actorOf(request.staff, request.ip), done);
    else done();
  });
}
