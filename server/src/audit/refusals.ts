import type { Sql } from '../db/sql';
import { maskPhone } from '../http/mask-phone';
import { addEntry, shopper } from './audit';

export interface RefusedProof {
  phone: string;
  address: string;
  by: 'password' | 'code';
  /** What it was to prove the person for. */
  purpose: string;
}

/** Enters a wrong password or code; alike for known and unknown phones, so that no time tells them apart. */
export async function enterRefusal(sql: Sql, { phone, address, by, purpose }: RefusedProof): Promise<void> {
  const user = await sql.row<{ id: number }>('select id from users where phone = $1', [phone]);
  await addEntry(sql, {
    ...shopper(address),
    action: 'session.refuse',
    userId: user?.id,
    subject: maskPhone(phone),
    detail: { by, purpose },
  });
}
