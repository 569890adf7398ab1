import { cookieOf, setCookie } from '@platform/pages/cookies';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomToken, sha256 } from '../../platform/crypto/tokens';
import { secondsOf } from '../retention/periods';
import type { Visitor } from './sessions.service';

/**
 * Only the sign-in calls receive this cookie. It proves nothing by itself: it distinguishes a device on which a code was entered
 * from a new one.
 */
const COOKIE = 'device';
/** Set when a visitor opens an invitation link: the code counts when they register, on any page. */
const INVITATION = 'invitation';
const SCOPE = { path: '/api/front/app', httpOnly: true, sameSite: 'strict' } as const;

export function visitorOf(request: FastifyRequest, reply: FastifyReply): Visitor {
  const { ip, headers } = request;
  const cookie = cookieOf(request, COOKIE) ?? '';
  const device = /^[\w-]{43}$/.test(cookie) ? cookie : randomToken();
  setCookie(request, reply, COOKIE, device, { ...SCOPE, maxAge: secondsOf('devices') });
  const inviteCode = cookieOf(request, INVITATION);
  return { address: ip, userAgent: headers['user-agent'] ?? '', device: sha256(device), inviteCode };
}

/** The first opened link counts, as long as its cookie is kept. */
export function keepInvitation(request: FastifyRequest, reply: FastifyReply, inviteCode: string): void {
  if (cookieOf(request, INVITATION)) return;
  setCookie(request, reply, INVITATION, inviteCode, { ...SCOPE, maxAge: secondsOf('invitation') });
}
