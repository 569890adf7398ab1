import { type Database, StartError } from './database';
import { BASELINE, type DatabaseFunction, hashOfSet, type Migration, readSchema, type Schema } from './schema';
import type { Sql } from './sql';

/** Key of the advisory lock that prevents two processes from migrating at the same time. */
const MIGRATION_LOCK = 7_204_115;
/** The longest delay of a timer, about 24 days. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

const records = `
  create table schema_migrations (
    version integer primary key,
    name text not null,
    applied_at timestamptz not null default now()
  );
  -- Every set of functions that was applied.
  create table schema_functions (
    hash text primary key,
    applied_at timestamptz not null default clock_timestamp()
  );`;

export interface MigrateOptions {
  schema?: Schema;
  /** Applies the functions of an older program; otherwise the program refuses to start. */
  mayGoBack?: boolean;
}

export async function migrate(db: Database, { schema = readSchema(), mayGoBack }: MigrateOptions = {}): Promise<void> {
  // No other server runs on the embedded database.
  await db.withTransaction((sql) => bringUpToDate(sql, schema, mayGoBack || db.kind === 'embedded'));
}

async function bringUpToDate(sql: Sql, schema: Schema, mayGoBack: boolean): Promise<void> {
  const lock = await sql.value<string>("select current_setting('lock_timeout')");
  await sql.script('set local statement_timeout = 0; set local lock_timeout = 0');
  await sql.script(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`, NO_TIMEOUT_MS);
  // While a migration waits for a table, every call that needs the table waits behind it. Functions may name tables and functions
  // that are created later.
  await sql.script(`set local lock_timeout = '${lock}'; set local check_function_bodies = off`);
  const isNew = !(await sql.row("select 1 where to_regclass('schema_migrations') is not null"));
  if (isNew) await sql.script(records);
  const missing = await missingMigrations(sql, schema);
  const functions = await functionsToApply(sql, schema.functions, mayGoBack);
  const texts = isNew ? [schema.tables] : missing.map(({ text }) => text);
  // Triggers name functions, and many other functions take or return rows of tables.
  const isNamed = ({ name }: DatabaseFunction) => texts.some((text) => new RegExp(`\\b${name}\\(`).test(text));
  const textOf = (list: DatabaseFunction[]) => list.map(({ text }) => text).join('\n;\n');
  for (const text of [
    textOf(functions.filter(isNamed)),
    ...texts,
    textOf(functions.filter((candidate) => !isNamed(candidate))),
  ])
    if (text) await sql.script(text, NO_TIMEOUT_MS);
  for (const { version, name } of missing)
    await sql.run('insert into schema_migrations (version, name) values ($1, $2)', [version, name]);
}

async function missingMigrations(sql: Sql, { migrations }: Schema): Promise<Migration[]> {
  const applied = await sql.column<number>('select version from schema_migrations');
  const [version, newest] = [Math.max(0, ...applied), migrations.at(-1)?.version ?? 0];
  if (applied.some((version) => version < BASELINE))
    throw new StartError(
      `The database is from before version ${BASELINE} (it has ${version}), and no program upgrades it: start with an empty one, and leave this one to the program that made it.`,
    );
  if (version > newest)
    throw new StartError(
      `The database is newer (version ${version}) than this program (${newest}): use a newer program.`,
    );
  // By number rather than from the newest one on, because branches merge in a different order than their numbers.
  return migrations.filter((migration) => !applied.includes(migration.version));
}

/** Applies all functions when one has changed. A server that is restarted during a rollout must not restore its old ones. */
async function functionsToApply(sql: Sql, functions: DatabaseFunction[], mayGoBack: boolean) {
  const hash = hashOfSet(functions);
  const hashes = await sql.column<string>('select hash from schema_functions order by applied_at desc');
  if (hashes[0] === hash) return [];
  if (!mayGoBack && hashes.includes(hash))
    throw new StartError(
      'The database has the functions of a newer program: use that one, or go back to these by "node server.js migrate".',
    );
  await sql.run(
    `insert into schema_functions (hash) values ($1)
     on conflict (hash) do update set applied_at = excluded.applied_at`,
    [hash],
  );
  return functions;
}
