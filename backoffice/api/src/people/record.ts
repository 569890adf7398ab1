import { type Actor, type AuditEntry, addEntry, staffActor } from '@shop/server/platform/audit/audit';
import type { Sql } from '@shop/server/platform/db/sql';

/** Adds an action of the staff member who calls to the audit log, in the transaction of `sql`. */
export const record = (sql: Sql, entry: Omit<AuditEntry, keyof Actor>): Promise<void> =>
  addEntry(sql, { ...staffActor(), ...entry });
