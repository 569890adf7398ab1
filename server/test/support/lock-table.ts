import type { Database } from '../../src/platform/db/database';

/**
 * Locks the table against every use; on the embedded database, which has one connection, it blocks all calls. The returned
 * function releases it.
 */
export async function lockTable(db: Database, table: string): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let ended: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    ended = db.withTransaction(async (sql) => {
      await sql.script(`lock table ${table} in access exclusive mode`);
      resolve();
      await released;
    });
    ended.catch(reject);
  });
  return () => {
    release();
    return ended as Promise<void>;
  };
}
