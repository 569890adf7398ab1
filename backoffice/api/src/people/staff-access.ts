import { cookieOf, isSecureCookie, setCookie } from '@platform/pages/cookies';
import { actingAs } from '@shop/server/platform/audit/audit';
import type { Database } from '@shop/server/platform/db/database';
import { ShopError } from '@shop/server/platform/http/errors';
import type { App } from '@shop/server/platform/http/request';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { isServed, type StaffAccess } from './roles';
import { actorOf, findStaff, SESSION_SECONDS, type StaffViewer } from './staff-sessions.service';

declare module 'fastify' {
  interface FastifyRequest {
    staff: StaffViewer | undefined;
  }
  interface FastifyContextConfig {
    /** A call without it does not register. */
    staff?: StaffAccess;
    /** The session needs a code of the authenticator app from the last five minutes. */
    freshCode?: true;
  }
}

/** "act" for an action of the user, "watch" for automatic polling. A form cannot send a header. */
const HEADER = 'x-staff';

/** The prefix stops a page of another host, such as the shop's, from setting the cookie for its whole domain. */
const cookieName = (request: FastifyRequest) => (isSecureCookie(request) ? '__Host-staff' : 'staff');

/** An empty token ends the cookie. */
export const setSessionCookie = (request: FastifyRequest, reply: FastifyReply, token: string): void =>
  setCookie(request, reply, cookieName(request), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    maxAge: SESSION_SECONDS,
  });

/**
 * Whether a script of the console's own page sends the request. All ports of a host share cookies, and a site has several hosts,
 * so neither the cookie nor SameSite keeps a page of the shop out.
 */
function isFromConsole({ method, headers, protocol, host }: FastifyRequest, staffUrl: string): boolean {
  const { origin, 'sec-fetch-site': site, [HEADER]: header } = headers;
  if (site !== 'same-origin' || (header !== 'act' && header !== 'watch')) return false;
  // A browser sends no origin with a GET of its own page.
  if (origin === undefined) return method === 'GET' || method === 'HEAD';
  return origin === (staffUrl || `${protocol}://${host}`);
}

/** Authorises one call: sets `request.staff`, or throws Forbidden, Unauthorized or FreshCodeNeeded. */
export type AdmitStaff = (request: FastifyRequest, access?: StaffAccess) => Promise<void>;

export function staffGuard(db: Database, staffUrl: string): AdmitStaff {
  return async (request, access = request.routeOptions.config.staff) => {
    if (!isFromConsole(request, staffUrl)) throw new ShopError(ErrorCode.Forbidden);
    if (access === 'guest') return;
    const token = cookieOf(request, cookieName(request));
    const staff = token && (await findStaff(db, token, request.headers[HEADER] === 'act'));
    if (!staff) throw new ShopError(ErrorCode.Unauthorized);
    if (!access || !isServed(access, staff.role)) throw new ShopError(ErrorCode.Forbidden);
    if (request.routeOptions.config.freshCode && !staff.hasFreshCode)
      throw new ShopError(StaffErrorCode.FreshCodeNeeded);
    request.staff = staff;
  };
}

/** Every call below passes the guard; its audit entries name the staff member. */
export function guardStaffCalls(app: App, admit: AdmitStaff): void {
  app.decorateRequest('staff', undefined);
  app.addHook('onRoute', ({ url, config }: RouteOptions) => {
    if (!config?.staff) throw new Error(`${url} does not say which users it serves`);
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    await admit(request);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.staff) actingAs(actorOf(request.staff, request.ip), done);
    else done();
  });
}
