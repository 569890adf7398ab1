import fs from 'node:fs';
import path from 'node:path';
import { type Database, StartError } from './database';
import { APP_ROLE } from './roles';
import type { Sql } from './sql';

const folder = path.join(__dirname, 'migrations');
/** Key of the advisory lock that keeps two processes from migrating at once. */
const MIGRATION_LOCK = 7_204_115;
/** The longest time that a timer takes, some weeks. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const INSUFFICIENT_PRIVILEGE = '42501';

export interface Migration {
  version: number;
  name: string;
  text: string;
}

export function readMigrations(): Migration[] {
  return fs
    .readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number(name.slice(0, 4)),
      name,
      text: fs.readFileSync(path.join(folder, name), 'utf8'),
    }));
}

/** Applies the migrations that the database lacks. Refuses a database that a newer program has migrated. */
export async function migrate(db: Database, migrations = readMigrations()): Promise<void> {
  try {
    await applyMissing(db, migrations);
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new StartError(
      `The database is to be migrated, and its login may not: ${(error as Error).message}. Name the owner's in MIGRATIONS_DATABASE_URL.`,
    );
  }
}

async function applyMissing(db: Database, migrations: Migration[]): Promise<void> {
  await db.withTransaction(async (sql) => {
    await sql.script('set local statement_timeout = 0; set local lock_timeout = 0');
    await sql.script(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`, NO_TIMEOUT_MS);
    // While a migration waits for a table, every call that needs the table waits behind it.
    await sql.script('set local lock_timeout to default');
    if (!(await sql.row("select 1 where to_regclass('schema_migrations') is not null")))
      await sql.script(
        'create table schema_migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())',
      );
    const applied = (await sql.rows<{ version: number }>('select version from schema_migrations')).map(
      ({ version }) => version,
    );
    const [version, newest] = [Math.max(0, ...applied), migrations.at(-1)?.version ?? 0];
    if (version > newest) {
      throw new StartError(
        `The database is newer (version ${version}) than this program (${newest}): use a newer program.`,
      );
    }
    // By number, not from the newest on: branches merge in another order than their numbers.
    const missing = migrations.filter((one) => !applied.includes(one.version));
    for (const migration of missing) {
      await sql.script(migration.text, NO_TIMEOUT_MS);
      await sql.run('insert into schema_migrations (version, name) values ($1, $2)', [
        migration.version,
        migration.name,
      ]);
    }
    if (await lacksGrants(sql, missing.length > 0)) await sql.one('select grant_app_role()');
  });
}

/** After a migration, and in a copy that was restored without its grants; only the owner can give them. */
async function lacksGrants(sql: Sql, hasChanged: boolean): Promise<boolean> {
  const { lacks } = await sql.one<{ lacks: boolean | null }>(
    `select to_regproc('grant_app_role') is not null and pg_has_role(c.relowner, 'usage')
            and ($1 or not has_table_privilege(to_regrole('${APP_ROLE}')::oid, c.oid, 'select')) as lacks
       from pg_class c where c.oid = to_regclass('schema_migrations')`,
    [hasChanged],
  );
  return lacks === true;
}
