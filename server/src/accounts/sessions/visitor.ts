import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config';
import { randomToken, sha256 } from '../../platform/crypto/tokens';
import { DEVICE_SECONDS, type Visitor } from './sessions.service';

/** Only the calls that sign in get it. It proves nothing by itself: it tells a device on which a code was given from a new one. */
const COOKIE = 'device';

/** Who signs in. Gives the browser its device cookie, or renews it. */
export function visitorOf(request: FastifyRequest, reply: FastifyReply, { providers }: Config): Visitor {
  const { ip, headers, protocol } = request;
  const known = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '')?.[1];
  const device = known ?? randomToken();
  const secure = providers.publicUrl.startsWith('https:') || protocol === 'https' ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${COOKIE}=${device}; Path=/api/front/app; Max-Age=${DEVICE_SECONDS}; HttpOnly; SameSite=Strict${secure}`,
  );
  return { address: ip, userAgent: headers['user-agent'] ?? '', device: sha256(device) };
}
