import type { AppContext } from '../context';
import { type EncryptedColumns, encryptedColumns, holdsValue } from '../platform/crypto/check-keys';
import type { Sql } from '../platform/db/sql';
import { audit } from './common';

/** The batch is small because the embedded database serves no other call within a transaction. */
const BATCH = 100;

interface RotationReport {
  changed: Record<string, number>;
  left: Record<string, Record<string, number>>;
  /** Keys of the database that encrypt nothing any more and may be removed from CARD_KEYS. */
  free: string[];
}

/**
 * Re-encrypts every value with the first key of CARD_KEYS, in batches of one transaction each; run it again after an interruption. A server
 * that still has an old key first may write with it meanwhile; the report counts the rows on each key at the end.
 */
export async function rotateKeys({ db, keyring }: AppContext): Promise<RotationReport> {
  const changed: Record<string, number> = {};
  for (const encrypted of encryptedColumns) {
    changed[encrypted.table] = 0;
    for (let last: number | null = 0; last !== null; ) {
      const batch = await db.withTransaction((sql) => rotateBatch(sql, keyring, encrypted, last ?? 0));
      changed[encrypted.table] = (changed[encrypted.table] ?? 0) + batch.count;
      last = batch.last;
    }
  }
  const left = await countByKey(db);
  const keys = await db.column<string>('select id from encryption_keys order by id');
  const free = keys.filter((id) => id !== keyring.currentId && !left[id]);
  const report = { changed, left, free };
  await audit(db, 'keys.rotate', keyring.currentId, report);
  return report;
}

type Row = { id: number; key_id: string } & Record<string, Buffer | null>;

async function rotateBatch(
  sql: Sql,
  keyring: AppContext['keyring'],
  encrypted: EncryptedColumns,
  after: number,
): Promise<{ count: number; last: number | null }> {
  const { table, keyId, columns } = encrypted;
  const rows = await sql.rows<Row>(
    `select id, ${keyId} as key_id, ${columns.join(', ')} from ${table}
      where ${keyId} <> $1 and id > $2 and ${holdsValue(encrypted)} order by id limit ${BATCH} for update`,
    [keyring.currentId, after],
  );
  const assignments = columns.map((column, index) => `${column} = $${index + 3}`).join(', ');
  for (const row of rows) {
    const values = columns.map((column) => {
      const sealed = row[column];
      return sealed ? keyring.encrypt(keyring.decrypt(row.key_id, sealed)) : null;
    });
    await sql.run(`update ${table} set ${keyId} = $2, ${assignments} where id = $1`, [
      row.id,
      keyring.currentId,
      ...values,
    ]);
  }
  return { count: rows.length, last: rows.length < BATCH ? null : (rows.at(-1)?.id ?? null) };
}

async function countByKey(sql: Sql): Promise<RotationReport['left']> {
  const left: RotationReport['left'] = {};
  for (const encrypted of encryptedColumns) {
    const counts = await sql.rows<{ key_id: string; count: number }>(
      `select ${encrypted.keyId} as key_id, count(*) as count from ${encrypted.table} where ${holdsValue(encrypted)} group by 1`,
    );
    for (const { key_id, count } of counts) left[key_id] = { ...left[key_id], [encrypted.table]: count };
  }
  return left;
}

export function rotationText({ changed, left, free }: RotationReport, currentId: string): string {
  const count = (counts: Record<string, number>) =>
    encryptedColumns.map(({ table, what }) => `${counts[table] ?? 0} ${what}`).join(', ');
  const lines = [`Re-encrypted with "${currentId}": ${count(changed)}.`];
  for (const [id, counts] of Object.entries(left)) {
    if (id !== currentId)
      lines.push(
        `Keep "${id}": ${count(counts)} are on it. Put "${currentId}" first on every server, then run this again.`,
      );
  }
  for (const id of free) lines.push(`"${id}" encrypts nothing any more and may be removed from CARD_KEYS.`);
  return lines.join('\n');
}
