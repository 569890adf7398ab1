import type { Sql } from '../db/sql';

export interface SessionUser {
  id: number;
  is_vip: boolean;
  is_usable: number;
}
interface FoundSession extends SessionUser {
  token_hash: Buffer;
  /** The last use on record is minutes old. */
  stale: boolean;
}
interface PendingLookup {
  tokenHash: Buffer;
  resolve(user: SessionUser | undefined): void;
  reject(error: unknown): void;
}

/**
 * Finds the users of session tokens. Lookups that arrive while a statement runs share the next one. None is answered by a statement
 * that started before it, so an ended session is refused from the next request on, in every process.
 */
export class SessionLookup {
  private waiting: PendingLookup[] = [];
  private busy = false;

  constructor(
    private readonly sql: Sql,
    private readonly idleSeconds: number,
  ) {}

  /** undefined for an unknown token and for a session that has ended or was idle for too long. */
  find(tokenHash: Buffer): Promise<SessionUser | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ tokenHash, resolve, reject });
      if (!this.busy) void this.answer();
    });
  }

  private async answer(): Promise<void> {
    this.busy = true;
    while (this.waiting.length) {
      const lookups = this.waiting;
      this.waiting = [];
      try {
        const rows = await this.sql.rows<FoundSession>('select * from sessions_known($1, $2)', [
          lookups.map((one) => one.tokenHash),
          this.idleSeconds,
        ]);
        const found = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]));
        for (const one of lookups) one.resolve(found.get(one.tokenHash.toString('latin1')));
        this.recordUse(rows.filter((row) => row.stale).map((row) => row.token_hash));
      } catch (error) {
        for (const one of lookups) one.reject(error);
      }
    }
    this.busy = false;
  }

  /** No request waits for it; when it fails, the next one tries again. */
  private recordUse(tokenHashes: Buffer[]): void {
    if (tokenHashes.length) this.sql.run('select sessions_seen($1)', [tokenHashes]).catch(() => {});
  }
}
