import { type Database, StartError } from '../db/database';
import type { Sql } from '../db/sql';
import type { Keyring } from './keyring';

/** Columns that are encrypted with the keyring. Key rotation and the check at start cover exactly these. */
export interface EncryptedColumns {
  table: string;
  what: string;
  keyId: string;
  columns: string[];
}

export const encryptedColumns: EncryptedColumns[] = [
  { table: 'card_codes', what: 'card codes', keyId: 'key_id', columns: ['card_no', 'card_pwd'] },
  { table: 'card_mark_keys', what: 'keys of marks', keyId: 'key_id', columns: ['mark_key'] },
  { table: 'orders', what: 'orders', keyId: 'fields_key', columns: ['fields_cipher'] },
  { table: 'shared_code_texts', what: 'texts for all buyers', keyId: 'key_id', columns: ['content'] },
  { table: 'staff_invitations', what: 'invitations of staff', keyId: 'totp_key', columns: ['totp_cipher'] },
  { table: 'staff_people', what: "authenticators' secrets", keyId: 'totp_key', columns: ['totp_cipher'] },
  { table: 'users', what: 'identity cards', keyId: 'id_card_key', columns: ['id_card_cipher'] },
];

export const holdsValue = ({ columns }: EncryptedColumns) =>
  `(${columns.map((column) => `${column} is not null`).join(' or ')})`;

const CHECK_TEXT = 'the key of this shop';

/** Throws a StartError of one line when the configured keys do not decrypt the data of the database. */
export async function checkKeys(db: Database, keyring: Keyring): Promise<void> {
  await db.withTransaction(async (sql) => {
    await sql.run('insert into encryption_keys (id, check_cipher) values ($1, $2) on conflict do nothing', [
      keyring.currentId,
      keyring.encrypt(CHECK_TEXT),
    ]);
    const storedKeys = await sql.rows<{ id: string; check_cipher: Buffer | null }>(
      'select id, check_cipher from encryption_keys order by id for update',
    );
    const problems: string[] = [];
    for (const { id, check_cipher } of storedKeys) {
      const sample = check_cipher && keyring.has(id) ? check_cipher : await anyValue(sql, id);
      // A key that encrypts no value any more may be missing.
      if (!keyring.has(id)) problems.push(...(sample ? [`the key "${id}" is missing`] : []));
      else if (sample && !opens(keyring, id, sample)) problems.push(`the key "${id}" is another one`);
      else if (!check_cipher)
        await sql.run('update encryption_keys set check_cipher = $2 where id = $1', [
          id,
          keyring.encrypt(CHECK_TEXT, id),
        ]);
    }
    if (problems.length === 0) return;
    throw new StartError(
      `The keys do not open this database: ${problems.join(', ')}. Set CARD_KEYS, or put card-key into the data folder, as when the data was written.`,
    );
  });
}

async function anyValue(sql: Sql, keyId: string): Promise<Buffer | undefined> {
  for (const columns of encryptedColumns) {
    const row = await sql.row<{ value: Buffer }>(
      `select coalesce(${columns.columns.join(', ')}) as value from ${columns.table} where ${columns.keyId} = $1 and ${holdsValue(columns)} limit 1`,
      [keyId],
    );
    if (row) return row.value;
  }
  return undefined;
}

function opens(keyring: Keyring, keyId: string, sealed: Buffer): boolean {
  try {
    keyring.decrypt(keyId, sealed);
    return true;
  } catch {
    return false;
  }
}
