import { addEntry, staffActor } from '../../platform/audit/audit';
import type { Sql } from '../../platform/db/sql';

/** A mistake in what the staff typed; the message is shown as it is. */
export class StaffError extends Error {}

/** Every command that changes or shows something of a person leaves a record. */
export async function audit(
  sql: Sql,
  action: string,
  subject: string,
  detail: object = {},
  userId: number | null = null,
) {
  await addEntry(sql, { ...staffActor(), action, subject, detail, userId });
}

export async function userByPhone(sql: Sql, phone: string): Promise<number> {
  const row = await sql.row<{ id: number }>('select id from users where phone = $1', [phone]);
  if (!row) throw new StaffError(`There is no user with the phone ${phone}.`);
  return row.id;
}
