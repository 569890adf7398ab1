import type { Sql } from '../db/sql';
import { maskPhone } from '../http/mask-phone';
import { addEntry, shopper } from './audit';

/** Who proves something, and from where. */
export interface Prover {
  /** Of a signed-in person; without it the account of the phone is looked up. */
  userId?: number;
  /** Of a signed-in person's session. */
  tokenHash?: Buffer;
  address: string;
}

export interface RefusedProof extends Prover {
  /** Undefined for an account without one. */
  phone?: string;
  by: 'password' | 'code';
  /** What it was to prove the person for. */
  purpose: string;
}

/** Enters a wrong password or code; alike for known and unknown phones, so that no time tells them apart. */
export async function enterRefusal(
  sql: Sql,
  { phone, userId, tokenHash, address, by, purpose }: RefusedProof,
): Promise<void> {
  const user = userId
    ? { id: userId }
    : await sql.row<{ id: number }>('select id from users where phone = $1', [phone ?? null]);
  await addEntry(sql, {
    ...shopper(address, tokenHash),
    action: 'session.refuse',
    userId: user?.id,
    subject: phone && maskPhone(phone),
    detail: { by, purpose },
  });
}
