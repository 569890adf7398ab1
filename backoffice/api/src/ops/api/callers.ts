/** Who asks the release API: a program by a key, or a person by the cookie of the back office. */
import { containsKey, type Identity, type ReleaseKeys } from '@platform/releases';
import { isSecure } from '@shop/server/platform/http/secure-request';
import type { FastifyRequest } from 'fastify';
import type { BackOfficeSessions } from '../../staff/back-office-sessions';
import { isOwn } from '../../staff/staff-access';
import type { Strangers } from '../ops-audit';
import { ApiError } from './api-error';

export interface Caller {
  identity: Identity;
  /** Who this is where two people must agree; null: nobody. */
  agreesAs: string | null;
}

/** Throws ApiError. */
export type FindCaller = (request: FastifyRequest) => Promise<Caller>;

/** Keys travel here, so a connection that others can read is refused; on this machine nobody reads along. Throws ApiError. */
export function requireSecure(request: FastifyRequest): void {
  if (containsKey(request.url) || containsKey(JSON.stringify(request.query))) {
    const advice = 'revoke this key, and send keys in the header authorization only';
    throw new ApiError('insecure', 400, `a key in an address ends up in logs: ${advice}`);
  }
  if (isSecure(request)) return;
  throw new ApiError(
    'insecure',
    403,
    'use https; behind a proxy that does, it must send X-Forwarded-Proto and TRUST_PROXY must name it. Revoke a key that was sent without',
  );
}

export function callersWithKeys(keys: ReleaseKeys, strangers: Strangers): FindCaller {
  return async (request) => {
    requireSecure(request);
    const [, key] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (key === undefined) throw new ApiError('unauthorised', 401, 'send a key: authorization: Bearer …');
    const identity = await keys.authenticate(key);
    if (identity) return { identity, agreesAs: null };
    strangers.refuse(request, { action: 'release.key.refuse' });
    throw new ApiError('unauthorised', 401, 'this key is not good: it is unknown, revoked or has expired');
  };
}

/** Needs no database. */
export function callersOfBackOffice(sessions: BackOfficeSessions): FindCaller {
  return async (request) => {
    if (!isOwn(request)) throw new ApiError('forbidden', 403, 'use the page');
    const visitor = await sessions.of(request.headers.cookie);
    if (!visitor) throw new ApiError('unauthorised', 401, 'sign in again');
    const { identity, agreesAs, person, role } = visitor;
    if (!identity)
      throw new ApiError('forbidden', 403, `releases are for ops and managers, not for ${person.name} (${role})`);
    return { identity, agreesAs };
  };
}
