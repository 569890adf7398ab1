import type { Sql } from '../db/sql';

export interface SessionPerson {
  id: number;
  is_vip: boolean;
  is_usable: number;
}
interface Asked {
  tokenHash: Buffer;
  resolve(person: SessionPerson | undefined): void;
  reject(error: unknown): void;
}

/**
 * Finds who is behind a session. Those who ask while a statement is under way share the next one, so a crowd costs one statement
 * and nobody is told what was read before they asked: a session that was ended is refused from the next request on, in every process.
 */
export class SessionLookup {
  private waiting: Asked[] = [];
  private busy = false;

  constructor(private readonly sql: Sql) {}

  /** undefined for a token that is unknown or has ended. */
  find(tokenHash: Buffer): Promise<SessionPerson | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ tokenHash, resolve, reject });
      if (!this.busy) void this.answer();
    });
  }

  private async answer(): Promise<void> {
    this.busy = true;
    while (this.waiting.length) {
      const asked = this.waiting;
      this.waiting = [];
      try {
        const rows = await this.sql.rows<SessionPerson & { token_hash: Buffer }>('select * from sessions_known($1)', [
          asked.map((one) => one.tokenHash),
        ]);
        const found = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]));
        for (const one of asked) one.resolve(found.get(one.tokenHash.toString('latin1')));
      } catch (error) {
        for (const one of asked) one.reject(error);
      }
    }
    this.busy = false;
  }
}
