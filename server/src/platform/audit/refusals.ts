import type { Sql } from '../db/sql';
import { maskIdentifier } from '../http/mask-phone';
import { addEntry, shopper } from './audit';

/** Who proves something, and from where. */
export interface Prover {
  /** Of a signed-in user; without it the account of the identifier is looked up. */
  userId?: number;
  /** Of a signed-in user's session. */
  tokenHash?: Buffer;
  address: string;
}

export interface RefusedProof extends Prover {
  /** A phone or an e-mail address; undefined for an account without one. */
  identifier?: string;
  by: 'password' | 'code';
  /** What it was to prove the user for. */
  purpose: string;
}

/** Enters a wrong password or code; alike for known and unknown ones, so that no time tells them apart. */
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
