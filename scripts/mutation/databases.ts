import { connectPostgres } from '../../server/src/platform/db/database';
import { postgresUrl } from '../../server/test/support/postgres';

type Postgres = Awaited<ReturnType<typeof connectPostgres>>;

/** On the PostgreSQL of this run. */
export async function atDatabase<T>(name: string, work: (db: Postgres) => Promise<T>): Promise<T> {
  const db = await connectPostgres(postgresUrl(process.env.SHOP_TEST_POSTGRES as string, name), { max: 1 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** The databases of tests that have ended: each has the size of the template, and there are some for every mutant. */
export const dropTestDatabases = () =>
  atDatabase('postgres', async (db) => {
    for (const name of await testDatabases(db)) await db.script(`drop database ${name} with (force)`);
  });

/** Of what a test has called meanwhile. */
export async function calledFunctions(): Promise<Set<string>> {
  const names = await atDatabase('postgres', testDatabases);
  const called = (name: string) =>
    atDatabase(name, (db) =>
      db.rows<{ funcname: string }>('select distinct funcname from pg_stat_user_functions where calls > 0'),
    );
  return new Set((await Promise.all(names.map(called))).flat().map(({ funcname }) => funcname));
}

const testDatabases = async (db: Postgres) =>
  (await db.rows<{ datname: string }>("select datname from pg_database where datname ~ '^test_'")).map(
    ({ datname }) => datname,
  );
