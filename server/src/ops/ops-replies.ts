import { authorOf, type Identity } from '@platform/releases';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuditEntry, announce, entryValues, insertEntry } from '../platform/audit/audit';
import type { Database } from '../platform/db/database';
import { networkOf } from '../platform/http/networks';

export const OPS_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
};

export const refuse = (reply: FastifyReply, code: number, message: string) =>
  reply.code(code).headers(OPS_HEADERS).send({ message });

export type OpsAudit = (
  request: FastifyRequest,
  action: string,
  identity: Identity | null,
  rest?: Partial<AuditEntry>,
) => void;

/** The database may be away or slow in an incident: nothing waits for it, and the log has the entry anyway. */
export const opsAudit =
  (db: Database | undefined): OpsAudit =>
  (request, action, identity, rest = {}) => {
    const actor = identity ? authorOf(identity) : 'unknown (ops)';
    const entry = { actor, action, network: networkOf(request.ip), session: identity?.id, ...rest };
    announce(entry);
    db?.run(insertEntry(1), entryValues(entry)).catch((error) =>
      request.log.error({ err: error, action }, 'an entry of the audit log was not stored'),
    );
  };
