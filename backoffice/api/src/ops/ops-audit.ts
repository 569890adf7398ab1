import { authorOf, type Identity } from '@platform/releases';
import { NetworkBudget } from '@platform/watch';
import { type AuditEntry, announce, entryValues, insertEntry } from '@shop/server/platform/audit/audit';
import type { Database } from '@shop/server/platform/db/database';
import { networkOf } from '@shop/server/platform/http/networks';
import type { FastifyRequest } from 'fastify';

export const NO_STORE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

export type OpsAudit = (
  request: FastifyRequest,
  action: string,
  identity: Identity | null,
  rest?: Partial<AuditEntry>,
) => void;

/** The database may be away or slow in an incident: no caller waits for it, and the log has the entry anyway. */
export const opsAudit =
  (db: Database | undefined): OpsAudit =>
  (request, action, identity, rest = {}) => {
    const actor = identity ? authorOf(identity) : 'unknown (ops)';
    const entry = { actor, action, network: networkOf(request.ip), session: identity?.id, ...rest };
    announce(entry);
    db?.run(insertEntry, entryValues(entry)).catch((error) =>
      request.log.error({ err: error, action }, 'an audit log entry was not stored'),
    );
  };

/** Limit for unknown callers. Further calls are refused as well, but their entries would only fill the audit log. */
const REFUSALS_AUDITED_A_MINUTE = 60;

export type AuditUnknown = (request: FastifyRequest, entry: Pick<AuditEntry, 'action' | 'detail'>) => void;

export function unknownCallers(audit: OpsAudit, now: () => number = Date.now): AuditUnknown {
  const budget = new NetworkBudget('', now, REFUSALS_AUDITED_A_MINUTE);
  return (request, { action, detail }) => {
    if (budget.take('')) audit(request, action, null, { actor: 'unknown', detail });
  };
}
