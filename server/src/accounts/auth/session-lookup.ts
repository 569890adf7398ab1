import { defaultLimits } from '../../platform/db/call-limits';
import { DatabaseBusyError } from '../../platform/db/database-busy';
import type { Sql } from '../../platform/db/sql';

const MOST_TOKENS = 500;
/** A statement serves many calls, so more of them may wait than other reads. */
const MOST_WAITING = 10 * defaultLimits.read.waiting;

interface SessionUser {
  id: number;
  is_vip: boolean;
  is_usable: number;
}
export interface FoundSession extends SessionUser {
  token_hash: Buffer;
  stale: boolean;
}
interface WaitingCall {
  tokenHash: Buffer;
  resolve(user: SessionUser | undefined): void;
  reject(error: unknown): void;
}

/**
 * Finds the users of session tokens. Calls that arrive while a statement runs share the next one. A statement never serves a call
 * that arrived after it started: an ended session is refused from the next request on, in every process.
 */
export class SessionLookup {
  private waiting: WaitingCall[] = [];
  private busy = false;

  constructor(
    private readonly sql: Pick<Sql, 'rows' | 'run'>,
    private readonly idleSeconds: number,
  ) {}

  /** Rejects with DatabaseBusyError when too many wait. */
  find(tokenHash: Buffer): Promise<SessionUser | undefined> {
    if (this.waiting.length >= MOST_WAITING)
      return Promise.reject(new DatabaseBusyError(`the database is busy: ${MOST_WAITING} calls wait for a statement`));
    return new Promise((resolve, reject) => {
      this.waiting.push({ tokenHash, resolve, reject });
      if (!this.busy) void this.serve();
    });
  }

  private async serve(): Promise<void> {
    this.busy = true;
    while (this.waiting.length) {
      const calls = this.waiting.splice(0, MOST_TOKENS);
      try {
        const hashes = calls.map(({ tokenHash }) => tokenHash);
        const rows = await this.sql.rows<FoundSession>('select * from sessions_known($1, $2)', [
          hashes,
          this.idleSeconds,
        ]);
        recordUse(this.sql, rows);
        const sessions = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]));
        for (const { tokenHash, resolve } of calls) resolve(sessions.get(tokenHash.toString('latin1')));
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
    this.busy = false;
  }
}

/** Whether a ticket of this session is still valid: the session is active and its account not disabled. */
export async function isLiveSession(sql: Sql, tokenHash: Buffer, idleSeconds: number): Promise<boolean> {
  const user = await sql.row<FoundSession>('select * from sessions_known($1, $2)', [[tokenHash], idleSeconds]);
  return user !== undefined && user.is_usable !== 0;
}

/** No request waits for it; if it fails, the next request tries again. */
export function recordUse(sql: Pick<Sql, 'run'>, sessions: FoundSession[]): void {
  const stale = sessions.filter((session) => session.stale).map((session) => session.token_hash);
  if (stale.length) sql.run('select sessions_seen($1)', [stale]).catch(() => {});
}
