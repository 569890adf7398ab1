import type { Sql } from '../db/sql';
import { maskIdentifier } from '../http/mask-phone';
import { addEntry, shopper } from './audit';

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
