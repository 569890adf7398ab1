import type { Sql } from '../db/sql';

export interface SessionUser {
  id: number;
  is_vip: boolean;
  is_usable: number;
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

  constructor(private readonly sql: Sql) {}

  /** undefined for an unknown or expired token. */
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
        const rows = await this.sql.rows<SessionUser & { token_hash: Buffer }>('select * from sessions_known($1)', [
          lookups.map((one) => one.tokenHash),
        ]);
        const found = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]));
        for (const one of lookups) one.resolve(found.get(one.tokenHash.toString('latin1')));
      } catch (error) {
        for (const one of lookups) one.reject(error);
      }
    }
    this.busy = false;
  }
}
