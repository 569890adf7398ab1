import { SharedStatement } from '../../platform/db/shared-statement';
import type { Sql } from '../../platform/db/sql';

export interface SessionUser {
  id: number;
  is_vip: boolean;
  is_usable: number;
}
export interface FoundSession extends SessionUser {
  token_hash: Buffer;
  stale: boolean;
}

/** Finds the users of session tokens. An ended session is refused from the next request on, in every process. */
export class SessionLookup extends SharedStatement<Buffer, SessionUser | undefined> {
  constructor(sql: Sql, idleSeconds: number) {
    super(async (hashes) => {
      const rows = await sql.rows<FoundSession>('select * from sessions_known($1, $2)', [hashes, idleSeconds]);
      recordUse(sql, rows);
      const sessionByHash = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]));
      return hashes.map((hash) => sessionByHash.get(hash.toString('latin1')));
    });
  }
}

/** Whether a ticket of this session is still valid: the session is active and its account not disabled. */
export async function isLiveSession(sql: Sql, tokenHash: Buffer, idleSeconds: number): Promise<boolean> {
  const user = await sql.row<FoundSession>('select * from sessions_known($1, $2)', [[tokenHash], idleSeconds]);
  return user !== undefined && user.is_usable !== 0;
}

/** No request waits for it; if it fails, the next request tries again. */
export function recordUse(sql: Sql, sessions: FoundSession[]): void {
  const stale = sessions.filter((session) => session.stale).map((session) => session.token_hash);
  if (stale.length) sql.run('select sessions_seen($1)', [stale]).catch(() => {});
}
