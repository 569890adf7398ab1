import { until } from '../../../scripts/jest/until';
import type { Database } from '../../src/platform/db/database';
import type { Sql } from '../../src/platform/db/sql';

/** The number of waiting calls: for a connection, or on PostgreSQL for a lock. `sql` belongs to the transaction for which they wait. */
export async function waitingCalls(db: Database, sql: Sql): Promise<number> {
  // Within a transaction PostgreSQL shows the sessions of the first query, without those that connected later.
  await sql.run('select pg_stat_clear_snapshot()');
  const { locked } = await sql.one<{ locked: number }>(
    `select count(distinct pid)::integer as locked from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`,
  );
  return Object.values(db.load()).reduce((sum, { waiting }) => sum + waiting, locked);
}

/** Starts the calls while a transaction holds the locks of `hold`, and commits it once all of them wait. Returns their results. */
export async function heldBack<T>(
  db: Database,
  hold: (sql: Sql) => Promise<unknown>,
  ...calls: Array<() => Promise<T>>
): Promise<T[]> {
  const { results } = await db.withTransaction(async (sql) => {
    await hold(sql);
    let ended = 0;
    const begun = calls.map((call) =>
      call().finally(() => {
        ended += 1;
      }),
    );
    const results = Promise.all(begun);
    results.catch(() => {});
    const waits = async () => ended === calls.length || (await waitingCalls(db, sql)) === calls.length;
    await until('the calls to wait', waits);
    return { results };
  });
  return results;
}

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
