import { createDatabase } from '../../../test/support/postgres';
import { kinds } from '../../../test/support/test-app';
import { defaultLimits } from './call-limits';
import { connectPostgres, type Database, openEmbedded } from './database';
import { type MigrateOptions, migrate } from './migrate';
import { withNumbers } from './named-numbers';
import { BASELINE, type DatabaseFunction, type Migration, readFunctions, readSchema, type Schema } from './schema';

const onPostgres = kinds.includes('postgres') ? it : it.skip;

let count = 0;
const emptyDatabase = async (kind: (typeof kinds)[number]): Promise<Database> =>
  kind === 'pglite'
    ? openEmbedded({ template: process.env.SHOP_TEST_EMPTY })
    : connectPostgres(await createDatabase(`migrate_${process.pid}_${count++}`));

const baseline: Migration = { version: BASELINE, name: 'baseline', text: '' };
const schema = (parts: Partial<Schema> = {}): Schema => ({
  tables: '',
  functions: [],
  migrations: [baseline],
  ...parts,
});
const fn = (name: string, text: string): DatabaseFunction => ({ name, text });
const constant = (name: string, result: number) =>
  fn(name, `create or replace function ${name}() returns integer language sql as 'select ${result}'`);

describe.each(kinds)('migrations on %s', (kind) => {
  let db: Database;
  beforeEach(async () => {
    db = await emptyDatabase(kind);
  });
  afterEach(() => db.close());
  const apply = (parts?: Partial<Schema>, options?: MigrateOptions) =>
    migrate(db, { ...options, schema: schema(parts) });
  it('migrations are applied by number, whichever were applied before, and skipped if the tables already include them', async () => {
    const [first, second, third] = [1, 2, 3].map((number) => ({
      version: BASELINE + number,
      name: `m${number}.sql`,
      text: `create table m${number} ()`,
    })) as [Migration, Migration, Migration];
    const tables = () => db.rows("select relname as name from pg_class where relname ~ '^m\\d$' order by 1");
    await apply({ migrations: [baseline] });
    await apply({ migrations: [baseline, first, third] });
    await apply({ migrations: [baseline, first, second, third] });
    expect(await tables()).toEqual([{ name: 'm1' }, { name: 'm2' }, { name: 'm3' }]);

    const another = await emptyDatabase(kind);
    await migrate(another, {
      schema: schema({ tables: 'create table m1 (); create table m2 ()', migrations: [baseline, first, second] }),
    });
    const versions = [0, 1, 2].map((number) => ({ version: BASELINE + number }));
    expect(await another.rows('select version from schema_migrations order by 1')).toEqual(versions);
    await another.close();
  });

  it('migrations refuse a newer database, and are safe to run concurrently', async () => {
    await Promise.all([migrate(db), migrate(db), migrate(db)]);
    await db.run("insert into schema_migrations (version, name) values ($1, 'later')", [9999]);
    await expect(migrate(db)).rejects.toThrow('newer');
    const versions = readSchema().migrations.map((migration) => migration.version);
    expect(versions).toEqual([...new Set(versions)].sort((left, right) => left - right));
  });

  it('migrations refuse a database from before the baseline in one line, and leave it unchanged', async () => {
    await db.script(`
      create table schema_migrations (version integer primary key, name text not null, applied_at timestamptz not null default now());
      insert into schema_migrations (version, name) values (1, '0001_accounts.sql'), (80, '0080_release_settings.sql');
      create table users (id bigint); insert into users values (1)`);
    await expect(migrate(db)).rejects.toThrow(/^The database is from before version \d+ \(it has 80\)[^\n]*$/);
    expect(await db.rows('select id from users')).toEqual([{ id: 1 }]);
    const tables =
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1";
    expect(await db.rows(tables)).toEqual([{ name: 'schema_migrations' }, { name: 'users' }]);
  });

  it('migrations replace a function whose file has changed, and keep one whose file was deleted for servers of the previous version', async () => {
    await apply({ functions: [constant('one', 1), constant('other', 2)] });
    await apply({ functions: [constant('one', 3)] });
    expect(await db.one('select one(), other()')).toEqual({ one: 3, other: 2 });
  });

  it('migrations write nothing when nothing has changed', async () => {
    await apply({ functions: [constant('one', 1)] });
    const written = () => db.one("select xmin::text as by from pg_proc where proname = 'one'");
    const before = await written();
    await apply({ functions: [constant('one', 1)] });
    expect(await written()).toEqual(before);
  });

  it('migrations apply functions in the order that tables, triggers and other functions need', async () => {
    const functions = [
      fn(
        'all_rows',
        "create or replace function all_rows() returns setof m1 language sql as 'select * from m1 where twice(x) > 0'",
      ),
      fn('guard', 'create or replace function guard() returns trigger language plpgsql as $$ begin return new; end $$'),
      fn(
        'twice',
        "create or replace function twice(p integer) returns integer language sql immutable as 'select 2 * p'",
      ),
    ];
    const table = (name: string) => `
      create table ${name} (x integer, y integer generated always as (twice(x)) stored);
      create trigger guard before insert on ${name} for each row execute function guard();`;
    await apply({ tables: table('m1'), functions });
    await db.script('insert into m1 (x) values (2)');
    expect(await db.rows('select * from all_rows()')).toEqual([{ x: 2, y: 4 }]);

    const more = [
      fn('m2_rows', "create or replace function m2_rows() returns setof m2 language sql as 'select * from m2'"),
      fn(
        'guard_m2',
        'create or replace function guard_m2() returns trigger language plpgsql as $$ begin return null; end $$',
      ),
    ];
    const second = {
      version: BASELINE + 1,
      name: 'm2',
      text: table('m2').replace('function guard()', 'function guard_m2()'),
    };
    await apply({ functions: [...functions, ...more], migrations: [baseline, second] });
    await db.script('insert into m2 (x) values (2)');
    expect(await db.rows('select * from m2_rows()')).toEqual([]);
  });

  it('migrations change nothing when one of them fails', async () => {
    await apply({ functions: [constant('one', 1)] });
    const migrations = [baseline, { version: BASELINE + 1, name: 'm1', text: 'create table m1 ()' }];
    const functions = [constant('one', 2), fn('other', 'create or replace function other() nonsense')];
    await expect(apply({ functions, migrations })).rejects.toThrow('syntax error');
    expect(await db.one("select one(), to_regclass('m1') as m1")).toEqual({ one: 1, m1: null });
    await apply({ functions: [constant('one', 2)], migrations });
    expect(await db.one('select one()')).toEqual({ one: 2 });
  });

  it('migrations create functions whose bodies are valid', async () => {
    await migrate(db);
    const { checked } = await db.one<{ checked: number }>(`
      select count(case l.lanname when 'plpgsql' then plpgsql_validator(p.oid)::text else fmgr_sql_validator(p.oid)::text end) as checked
        from pg_proc p join pg_language l on l.oid = p.prolang where p.pronamespace = current_schema()::regnamespace`);
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBe(readFunctions().length);
  });

  it('migrations restore the functions of an older program only on request, if another server may run', async () => {
    const [older, newer] = [{ functions: [constant('one', 1)] }, { functions: [constant('one', 2)] }];
    await apply(older);
    await apply(newer);
    if (kind === 'postgres') {
      await expect(apply(older)).rejects.toThrow(/^The database has the functions of a newer program[^\n]*$/);
      expect(await db.one('select one()')).toEqual({ one: 2 });
      await apply(older, { mayGoBack: true });
    } else await apply(older);
    expect(await db.one('select one()')).toEqual({ one: 1 });
    await apply(newer, { mayGoBack: true });
    expect(await db.one('select one()')).toEqual({ one: 2 });
  });
});

onPostgres('wait for another server that migrates, longer than other statements may take', async () => {
  const staff = { ...defaultLimits.staff, statementMs: 100, lockMs: 50 };
  const url = await createDatabase(`migrate_waiting_${process.pid}`);
  const db = await connectPostgres(url, { limits: { ...defaultLimits, staff } });
  const slow = schema({ tables: 'create table slow (); select pg_sleep(1.3)' });
  await Promise.all([migrate(db, { schema: slow }), migrate(db, { schema: slow })]);
  expect(await db.rows('select version from schema_migrations')).toEqual([{ version: BASELINE }]);
  await db.close();
});

it('each function of the database is read alone, with its comment', () => {
  for (const { name, text } of readFunctions())
    expect([name, text.match(/create or replace function \w+/g)]).toEqual([
      name,
      [`create or replace function ${name}`],
    ]);
});

it('named numbers replace the placeholders in the text of a function', () => {
  expect(
    withNumbers("state in ({CardState.Free}, {RequestState.Refused}) and status = {OrderStatus.Paid} and x = '{}'"),
  ).toBe("state in (0, 3) and status = 12 and x = '{}'");
});

it.each(['{OrderStatus.Payed}', '{OrderState.Paid}', '{OrderStatus.constructor}'])(
  'named numbers refuse the unknown placeholder %s',
  (name) => {
    expect(() => withNumbers(`status = ${name}`)).toThrow(`no number is named ${name}`);
  },
);
