import type { Keyring } from '../platform/crypto/keyring';
import { insert, type Sql } from '../platform/db/sql';

/** `from` is SQL; its text is `t`. */
async function readText(sql: Sql, keyring: Keyring, from: string, id: number) {
  const row = await sql.row<{ id: number; key_id: string; content: Buffer }>(
    `select t.id, t.key_id, t.content from ${from}`,
    [id],
  );
  return row && { id: row.id, text: keyring.decrypt(row.key_id, row.content) };
}

export const sharedText = (sql: Sql, keyring: Keyring, specId: number) =>
  readText(sql, keyring, 'shared_code_texts t where t.spec_id = $1 order by t.id desc limit 1', specId);

/** The text that an order was delivered with; undefined before the delivery and after a full refund. */
export const sharedTextOf = (sql: Sql, keyring: Keyring, orderId: number) =>
  readText(
    sql,
    keyring,
    `shared_code_orders d join shared_code_texts t on t.id = d.text_id
       join orders o on o.id = d.order_id and o.refunded_quantity < o.quantity where d.order_id = $1`,
    orderId,
  );

export const writeSharedText = (sql: Sql, keyring: Keyring, specId: number, text: string): Promise<number> =>
  insert(sql, 'shared_code_texts', { spec_id: specId, key_id: keyring.currentId, content: keyring.encrypt(text) });
