import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { maskIdentifier } from '@shop/shared/domain/mask-phone';
import type { Sql } from '../db/sql';
import { networkOf } from '../http/networks';

export interface Actor {
  /** "user", or a staff user's name and console: "ann (staff)", "ben (ops)". */
  actor: string;
  network?: string;
  /** Identifies a session without giving access to it. */
  session?: string;
}

export interface AuditEntry extends Actor {
  action: string;
  userId?: number | null;
  subject?: string;
  detail?: object;
}

export const sessionName = (tokenHash: Buffer): string => tokenHash.toString('hex').slice(0, 16);

export const shopper = (address: string, tokenHash?: Buffer): Actor => ({
  actor: 'user',
  network: networkOf(address),
  session: tokenHash && sessionName(tokenHash),
});

const acting = new AsyncLocalStorage<Actor>();

export const actingAs = <T>(actor: Actor, work: () => T): T => acting.run(actor, work);

export const staffActor = (): Actor => acting.getStore() ?? { actor: 'staff' };

export const auditEvents = new EventEmitter<{ entry: [AuditEntry & { id: number | undefined }] }>();

/** The statement adds an entry with the values of entryValues(entry). */
export const insertEntry = `insert into audit_log (actor, action, user_id, subject, detail, network, session)
  values ($1, $2, $3, $4, $5, $6, $7) returning id`;
export function entryValues(entry: AuditEntry) {
  const { actor, action, userId = null, subject = '', detail = {}, network = null, session = null } = entry;
  return [actor, action, userId, subject, JSON.stringify(detail), network, session];
}

/** Adds an entry in the transaction of `sql`. */
export async function addEntry(sql: Sql, entry: AuditEntry): Promise<void> {
  announce(entry, await sql.one<{ id: number }>(insertEntry, entryValues(entry)));
}

export const announce = (entry: AuditEntry, stored?: { id: number }) =>
  auditEvents.emit('entry', { ...entry, id: stored?.id });

export interface Prover {
  /** Id of the signed-in user; without it the account of the identifier is looked up. */
  userId?: number;
  tokenHash?: Buffer;
  address: string;
}

export interface RefusedProof extends Prover {
  identifier?: string;
  by: 'password' | 'code';
  purpose: string;
}

/**
 * Records a wrong password or code. Known and unknown identifiers take the same path, so that the response time does not distinguish them.
 */
export async function enterRefusal(
  sql: Sql,
  { identifier, userId, tokenHash, address, by, purpose }: RefusedProof,
): Promise<void> {
  const user = userId
    ? { id: userId }
    : await sql.row<{ id: number }>('select id from users where phone = $1 or sign_in_email = $1', [
        identifier ?? null,
      ]);
  await addEntry(sql, {
    ...shopper(address, tokenHash),
    action: 'session.refuse',
    userId: user?.id,
    subject: identifier && maskIdentifier(identifier),
    detail: { by, purpose },
  });
}
