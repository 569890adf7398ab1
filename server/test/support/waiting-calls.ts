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
