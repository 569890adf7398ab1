import { cookieOf, setCookie } from '@platform/pages/cookies';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomToken, sha256 } from '../../platform/crypto/tokens';
import { secondsOf } from '../retention/periods';
import { DEVICE_SECONDS, type Visitor } from './sessions.service';

/** Only the calls that sign in get it. It proves nothing by itself: it tells a device on which a code was given from a new one. */
const COOKIE = 'device';
/** Of whoever has opened the link of an invitation: the code counts when they register, on whichever page that is. */
const INVITATION = 'invitation';
const INVITATION_SECONDS = secondsOf('invitation');
const PATH = '/api/front/app';

/** Who signs in. Gives the browser its device cookie, or renews it. */
export function visitorOf(request: FastifyRequest, reply: FastifyReply): Visitor {
  const { ip, headers } = request;
  const known = cookieOf(request, COOKIE) ?? '';
  const device = /^[\w-]{43}$/.test(known) ? known : randomToken();
  const options = { path: PATH, maxAge: DEVICE_SECONDS, httpOnly: true, sameSite: 'strict' } as const;
  setCookie(request, reply, COOKIE, device, options);
  const inviteCode = cookieOf(request, INVITATION);
  return { address: ip, userAgent: headers['user-agent'] ?? '', device: sha256(device), inviteCode };
}

/** The first link that is opened counts, as long as it is kept. */
export function keepInvitation(request: FastifyRequest, reply: FastifyReply, inviteCode: string): void {
  if (cookieOf(request, INVITATION)) return;
  const options = { path: PATH, maxAge: INVITATION_SECONDS, httpOnly: true, sameSite: 'strict' } as const;
  setCookie(request, reply, INVITATION, inviteCode, options);
}
