import { cookieOf, setCookie } from '@platform/pages/cookies';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomToken, sha256 } from '../../platform/crypto/tokens';
import { DEVICE_SECONDS, type Visitor } from './sessions.service';

/** Only the calls that sign in get it. It proves nothing by itself: it tells a device on which a code was given from a new one. */
const COOKIE = 'device';

/** Who signs in. Gives the browser its device cookie, or renews it. */
export function visitorOf(request: FastifyRequest, reply: FastifyReply): Visitor {
  const { ip, headers } = request;
  const known = cookieOf(request, COOKIE) ?? '';
  const device = /^[\w-]{43}$/.test(known) ? known : randomToken();
  const options = { path: '/api/front/app', maxAge: DEVICE_SECONDS, httpOnly: true, sameSite: 'strict' } as const;
  setCookie(request, reply, COOKIE, device, options);
  return { address: ip, userAgent: headers['user-agent'] ?? '', device: sha256(device) };
}
