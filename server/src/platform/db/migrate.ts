import { type Database, StartError } from './database';
import { APP_ROLE } from './roles';
import {
  anyProgram,
  BASELINE,
  type DatabaseFunction,
  hashOfSet,
  type Migration,
  programName,
  readSchema,
  type Schema,
} from './schema';
import type { Sql } from './sql';

/** Key of the advisory lock that keeps two processes from migrating at once. */
const MIGRATION_LOCK = 7_204_115;
/** The longest time that a timer takes, some weeks. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** For so long a function whose file is gone stays for servers of the version before. */
const KEPT_MS = 3_600_000;
/** What takes something away from the servers that still run. */
const TAKES_AWAY = /\bdrop\s+(function|table|view|column)\s+(?:if\s+exists\s+)?"?(\w+)/i;
const INSUFFICIENT_PRIVILEGE = '42501';

/** What the program keeps of the schema. `files`: the hash of each function's file by name. */
const records = `
  create table schema_migrations (
    version integer primary key,
    name text not null,
    applied_at timestamptz not null default now()
  );
  create table schema_functions (
    hash text primary key,
    files jsonb not null,
    applied_at timestamptz not null default clock_timestamp()
  );`;

export interface MigrateOptions {
  schema?: Schema;
  /** Goes back from the functions of a newer program to those of this one; otherwise that is refused. */
  mayGoBack?: boolean;
  keptMs?: number;
}

/**
 * Makes the tables of an empty database, or applies the migrations that it lacks; and the functions whose files have changed. All in one
 * transaction. Refuses a database that a newer program has migrated.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<void> {
  const { schema = readSchema(), keptMs = KEPT_MS } = options;
  // The embedded database has one server: no other one still runs on the functions that go.
  const isAlone = db.kind === 'embedded';
  const mayGoBack = options.mayGoBack || isAlone;
  try {
    await db.withTransaction((sql) => bringUpToDate(sql, schema, { mayGoBack, keptMs: isAlone ? 0 : keptMs }));
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new StartError(
      `The database is to be migrated, and its login may not: ${(error as Error).message}. Name the owner's in MIGRATIONS_DATABASE_URL.`,
    );
  }
}

type Going = Required<Pick<MigrateOptions, 'mayGoBack' | 'keptMs'>>;

async function bringUpToDate(sql: Sql, schema: Schema, going: Going): Promise<void> {
  await sql.script('set local statement_timeout = 0; set local lock_timeout = 0');
  await sql.script(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`, NO_TIMEOUT_MS);
  // While a migration waits for a table, every call that needs the table waits behind it. Functions name tables and functions that come
  // later, and those that run as their owner keep this search path.
  await sql.script(`
    set local lock_timeout to default;
    set local check_function_bodies = off;
    select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true)`);
  const isNew = !(await sql.row("select 1 where to_regclass('schema_migrations') is not null"));
  if (isNew) await sql.script(records);
  const missing = await missingMigrations(sql, schema);
  const others = isNew ? 0 : await othersConnected(sql, schema.functions);
  if (others > 0) for (const migration of missing) refuseTakingAway(migration, others);
  const texts = isNew ? [schema.tables] : missing.map(({ text }) => text);
  const haveFunctionsChanged = await updateFunctions(sql, schema.functions, { ...going, others }, texts);
  for (const { version, name } of missing)
    await sql.run('insert into schema_migrations (version, name) values ($1, $2)', [version, name]);
  if (await lacksGrants(sql, missing.length > 0 || haveFunctionsChanged)) await sql.one('select grant_app_role()');
}

async function missingMigrations(sql: Sql, { migrations }: Schema) {
  const applied = (await sql.rows<{ version: number }>('select version from schema_migrations')).map(
    ({ version }) => version,
  );
  const [version, newest] = [Math.max(0, ...applied), migrations.at(-1)?.version ?? 0];
  if (applied.some((one) => one < BASELINE))
    throw new StartError(
      `The database is from before version ${BASELINE} (it has ${version}), and no program upgrades it: start with an empty one, and leave this one to the program that made it.`,
    );
  if (version > newest)
    throw new StartError(
      `The database is newer (version ${version}) than this program (${newest}): use a newer program.`,
    );
  // By number, not from the newest on: branches merge in another order than their numbers.
  return migrations.filter((one) => !applied.includes(one.version));
}

/** Connections of servers with other functions, which are those of another version. */
async function othersConnected(sql: Sql, functions: DatabaseFunction[]): Promise<number> {
  const { others } = await sql.one<{ others: number }>(
    `select count(*)::integer as others from pg_stat_activity
      where datname = current_database() and application_name like $1 and application_name <> $2`,
    [anyProgram, programName(functions)],
  );
  return others;
}

/** Servers of the version before would fail between this migration and their end. */
function refuseTakingAway({ name, text }: Migration, others: number): void {
  const [, kind, what] = TAKES_AWAY.exec(text) ?? [];
  if (kind)
    throw new StartError(
      `Migration ${name} drops the ${kind.toLowerCase()} ${what}, and servers of another version still run (${others} connections): stop them first, or drop it in the version after.`,
    );
}

/**
 * Runs `texts`, which make or change tables, and applies the functions whose files have changed: first those that the texts name, as
 * triggers do, then the others, since many of them take or return rows of tables. Drops those without a file: at once where this is the
 * only server, otherwise by a later start, when they have been gone for `keptMs` and no server of another version is connected. Says
 * whether any changed.
 */
async function updateFunctions(
  sql: Sql,
  functions: DatabaseFunction[],
  { mayGoBack, keptMs, others }: Going & { others: number },
  texts: string[],
): Promise<boolean> {
  const own = Object.fromEntries(functions.map(({ name, hash }) => [name, hash]));
  const hash = hashOfSet(functions);
  const [current, ...before] = await sql.rows<{ hash: string; files: Record<string, string>; age: number }>(
    `select hash, files, extract(epoch from clock_timestamp() - applied_at)::float8 * 1000 as age
       from schema_functions order by applied_at desc`,
  );
  if (!mayGoBack && before.some((one) => one.hash === hash))
    throw new StartError(
      'The database has the functions of a newer program: use that one, or go back to these by "node server.js migrate".',
    );
  const changed = functions.filter((one) => current?.files[one.name] !== one.hash);
  const isNamed = ({ name }: DatabaseFunction) => texts.some((text) => new RegExp(`\\b${name}\\(`).test(text));
  const textOf = (some: DatabaseFunction[]) => some.map(({ text }) => text).join('\n;\n');
  for (const text of [textOf(changed.filter(isNamed)), ...texts, textOf(changed.filter((one) => !isNamed(one)))])
    if (text) await sql.script(text, NO_TIMEOUT_MS);
  const isGone = (name: string) => !(name in own) && (keptMs === 0 || !(name in (current?.files ?? {})));
  const known = new Set([current, ...before].flatMap((one) => Object.keys(one?.files ?? {})));
  const mayDrop = keptMs === 0 || (others === 0 && (current?.age ?? 0) >= keptMs);
  const dropped = await dropFunctions(
    sql,
    mayDrop ? [...known].filter(isGone) : [],
    changed.map(({ name }) => name),
  );
  if (current?.hash === hash) return dropped > 0;
  await sql.run(
    `insert into schema_functions (hash, files) values ($1, $2)
     on conflict (hash) do update set applied_at = excluded.applied_at`,
    [hash, own],
  );
  return true;
}

/** Drops the functions of the names that are gone, and of the applied ones those that their files did not make: of other parameters. */
async function dropFunctions(sql: Sql, gone: string[], applied: string[]): Promise<number> {
  const found = await sql.rows<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
      where pronamespace = current_schema()::regnamespace
        and (proname = any ($1) or (proname = any ($2) and xmin <> pg_current_xact_id()::xid))`,
    [gone, applied],
  );
  for (const { signature } of found) await sql.script(`drop function ${signature}`);
  return found.length;
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
