import type { Keyring } from '../platform/crypto/keyring';
import type { Sql } from '../platform/db/sql';

/** A text of a value that sells many times. */
interface SharedText {
  id: number;
  version: number;
  text: string;
}

interface VersionRow {
  id: number;
  version: number;
  key_id: string;
  content: Buffer;
}

const opened = (keyring: Keyring, { id, version, key_id, content }: VersionRow): SharedText => ({
  id,
  version,
  text: keyring.decrypt(key_id, content),
});

/** One version of a value's text, the newest without a number; undefined where there is none. */
export async function sharedText(
  sql: Sql,
  keyring: Keyring,
  specId: number,
  version?: number,
): Promise<SharedText | undefined> {
  const row = await sql.row<VersionRow>(
    `select id, version, key_id, content from shared_code_versions
      where spec_id = $1 and ($2::integer is null or version = $2) order by version desc limit 1`,
    [specId, version ?? null],
  );
  return row && opened(keyring, row);
}

/** The text that the buyer of an order sees: the newest where the value says so, else that of the delivery; undefined before it. */
export async function sharedTextOf(sql: Sql, keyring: Keyring, orderId: number): Promise<SharedText | undefined> {
  const row = await sql.row<VersionRow>(
    `select v.id, v.version, v.key_id, v.content from shared_code_orders d
       join orders o on o.id = d.order_id and o.refunded_quantity < o.quantity
       join goods_specs s on s.id = d.spec_id
       join shared_code_versions v on v.spec_id = d.spec_id and (s.shows_newest or v.id = d.version_id)
      where d.order_id = $1 and d.version_id is not null order by v.version desc limit 1`,
    [orderId],
  );
  return row && opened(keyring, row);
}

/** A new version of the text, encrypted; the same text as the newest is none. The caller holds the value's row. Returns its number. */
export async function writeSharedText(
  sql: Sql,
  keyring: Keyring,
  specId: number,
  text: string,
  by: string,
): Promise<number> {
  const newest = await sharedText(sql, keyring, specId);
  if (newest?.text === text) return newest.version;
  const version = (newest?.version ?? 0) + 1;
  await sql.run(
    'insert into shared_code_versions (spec_id, version, key_id, content, written_by) values ($1, $2, $3, $4, $5)',
    [specId, version, keyring.currentId, keyring.encrypt(text), by],
  );
  return version;
}
