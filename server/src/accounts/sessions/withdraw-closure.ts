import { type Actor, addEntry } from '../../platform/audit/audit';
import type { Sql } from '../../platform/db/sql';

/** A sign-in takes the closure of the account back. Throws WrongCredentials when the account was erased meanwhile. */
export async function withdrawClosure(sql: Sql, userId: number, actor: Actor): Promise<void> {
  const { withdrawn } = await sql.one<{ withdrawn: boolean }>('select closure_withdraw($1) as withdrawn', [userId]);
  if (withdrawn) await addEntry(sql, { ...actor, action: 'account.close-withdrawn', userId });
}
