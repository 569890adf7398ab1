import fs from 'node:fs';
import path from 'node:path';
import { type Database, StartError } from './database';

const folder = path.join(__dirname, 'migrations');
/** Key of the advisory lock that keeps two processes from migrating at once. */
const MIGRATION_LOCK = 7_204_115;

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
  await db.withTransaction(async (sql) => {
    await sql.one(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await sql.script(
      'create table if not exists schema_migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())',
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
    for (const migration of migrations.filter((one) => !applied.includes(one.version))) {
      await sql.script(migration.text);
      await sql.run('insert into schema_migrations (version, name) values ($1, $2)', [
        migration.version,
        migration.name,
      ]);
    }
  });
}
