import { containsKey, type Identity, type ReleaseKeys } from '@platform/releases';
import { sessionName } from '@shop/server/platform/audit/audit';
import { isSecure } from '@shop/server/platform/http/local-request';
import type { FastifyRequest } from 'fastify';
import type { AdmitStaff } from '../../people/staff-access';
import type { StaffViewer } from '../../people/staff-sessions.service';
import type { AuditUnknown } from '../ops-audit';
import { ApiError } from './api-error';

/** Throws ApiError and ShopError. */
export type IdentifyCaller = (request: FastifyRequest) => Promise<Identity>;

/** Keys travel here, so a connection that others can read is refused; connections on this machine are safe. Throws ApiError. */
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

export function callersWithKeys(keys: ReleaseKeys, auditUnknown: AuditUnknown): IdentifyCaller {
  return async (request) => {
    requireSecure(request);
    const [, key] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (key === undefined) throw new ApiError('unauthorised', 401, 'send a key: authorization: Bearer …');
    const identity = await keys.authenticate(key);
    if (identity) return identity;
    auditUnknown(request, { action: 'release.key.refuse' });
    throw new ApiError('unauthorised', 401, 'this key is not valid: it is unknown, revoked or has expired');
  };
}

export function callersOfConsole(admit: AdmitStaff): IdentifyCaller {
  return async (request) => {
    await admit(request, 'releases');
    const { name, tokenHash, expiresAt } = request.staff as StaffViewer;
    const grant = { role: 'ops', remotes: [] } as const;
    return { id: sessionName(tokenHash), name, kind: 'person', expiresAt: expiresAt.toISOString(), ...grant };
  };
}
