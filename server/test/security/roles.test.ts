import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { banner } from '../../src/banner';
import { connectPostgres } from '../../src/platform/db/database';
import { roleWarning } from '../../src/platform/db/roles';
import { openContext, startServer } from '../../src/start';
import { postgresUrl } from '../support/postgres';
import { kinds, onBothDatabases } from '../support/test-app';

onBothDatabases("the server's role", (testApp) => {
  const protectedTables = () =>
    testApp().db.rows<{ name: string; may_update: boolean }>('select name, may_update from protected_tables');

  it('neither changes, deletes nor empties what has happened', async () => {
    const person = await testApp().person(5000);
    await person.bought();
    const { db } = testApp();
    const refused: string[] = [];
    for (const { name, may_update } of await protectedTables()) {
      const { column } = await db.one<{ column: string }>(
        `select attname as column from pg_attribute where attrelid = $1::text::regclass and attnum > 0 and attidentity = '' limit 1`,
        [name],
      );
      refused.push(`delete from ${name}`, `truncate ${name} cascade`);
      if (!may_update) refused.push(`update ${name} set ${column} = ${column}`);
    }
    refused.push(
      'delete from card_codes where state = 2',
      'alter table ledger_entries disable trigger all',
      'drop trigger audit_log_append_only on audit_log',
      'drop table audit_log',
      "update protected_tables set may_update = true where name = 'audit_log'",
      "insert into schema_migrations (version, name) values (9999, 'x')",
      'delete from schema_functions',
      'create table mine (id bigint)',
      'alter role shop_app superuser',
    );
    for (const statement of refused)
      expect([statement, await db.script(statement).catch((error) => error.code)]).toEqual([statement, '42501']);
    expect(await db.one('select current_user::text as role')).toEqual({ role: 'shop_app' });
  });

  it('is limited on every table whose rows a trigger keeps', async () => {
    const kept = await testApp().db.rows<{ name: string }>(
      `select distinct tgrelid::regclass::text as name from pg_trigger
        where tgfoid = 'refuse_change()'::regprocedure and tgqual is null order by 1`,
    );
    const names = (await protectedTables()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(kept.map(({ name }) => name)));
    expect(kept.length).toBeGreaterThan(5);
  });

  it('is not needed for sold codes to stay: their triggers refuse the owner too', async () => {
    const person = await testApp().person(5000);
    await person.bought();
    for (const statement of ['delete from card_codes where state = 2', 'truncate card_codes', 'truncate audit_log'])
      await expect(testApp().ownerScript(statement)).rejects.toThrow('append-only');
  });

  it.each([
    ['forget_security_events', '180 days'],
    ['forget_release_events', '30 days'],
  ])('deletes what has happened by %s alone, after %s at the earliest', async (name, least) => {
    await expect(testApp().db.one(`select ${name}(now() - interval '${least}' + interval '1 hour')`)).rejects.toThrow(
      least,
    );
    await testApp().db.one(`select ${name}(now() - interval '${least}' - interval '1 hour')`);
  });

  it('lets nobody change an entry of the audit log together with what is forgotten', async () => {
    await testApp().db.run(
      "insert into audit_log (at, actor, action, subject, network) values (now() - interval '1 year', 'test', 'x', 'y', '10.0.0.0/32')",
    );
    for (const change of ["set actor = 'ann', network = null, session = null", "set network = '10.9.9.9/32'"])
      await expect(testApp().ownerScript(`update audit_log ${change} where actor = 'test'`)).rejects.toThrow(
        'append-only',
      );
  });

  it('is named at the start when who signs in to the database may do more', async () => {
    const warning = await roleWarning(testApp().db);
    if (testApp().kind === 'pglite') expect(warning).toBeUndefined();
    else expect(warning).toMatch(/acts on the database as "shop_app", but its login "postgres" may/);
  });
});

const onPostgres = kinds.includes('postgres') ? describe : describe.skip;

onPostgres('a start on PostgreSQL', () => {
  const [owner, server] = [`owner_${process.pid}`, `server_${process.pid}`];
  let dataDir: string;
  let url: (login: string) => string;
  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-roles-'));
    const folder = process.env.SHOP_TEST_POSTGRES ?? '';
    const database = `roles_${process.pid}`;
    url = (login) => postgresUrl(folder, database).replace('postgres@', `${login}@`);
    // As an administrator sets it up, under names of this test; shop_app is there for the databases of other tests.
    const setUp = fs
      .readFileSync(path.join(__dirname, '../../../deploy/postgres/roles.sql'), 'utf8')
      .replace(/^--.*$/gm, '')
      .replace('create role shop_app nologin;', '')
      .replaceAll('shop_owner', owner)
      .replaceAll('shop_server', server)
      .replace('database shop ', `database ${database} `);
    const administrator = await connectPostgres(postgresUrl(folder, 'postgres'), { max: 1 });
    for (const statement of setUp.split(';').filter((one) => one.trim())) await administrator.script(statement);
    await administrator.close();
  });
  afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const open = (login: string, env: NodeJS.ProcessEnv = {}) =>
    openContext({ dataDir, databaseUrl: url(login), env, seed: false });

  it('needs the address of the owner to migrate, and afterwards not', async () => {
    await expect(open(server)).rejects.toThrow(/its login may not.*MIGRATIONS_DATABASE_URL/);
    const first = await open(server, { MIGRATIONS_DATABASE_URL: url(owner) });
    expect(await roleWarning(first.db)).toBeUndefined();
    // Not by leaving the role either.
    for (const statement of ['truncate ledger_entries', 'delete from card_codes', 'set role postgres'])
      await expect(first.db.asOwner((sql) => sql.script(statement))).rejects.toMatchObject({ code: '42501' });
    await first.db.close();
    await (await open(server)).db.close();
  });

  it('says so when it runs as the owner, because there is no role that it may take', async () => {
    const running = await startServer({ port: 0, dataDir, databaseUrl: url(owner), env: {}, seed: false, jobs: false });
    const line = `  Warning: The server acts on the database as "${owner}", which may change and empty the ledger`;
    expect(banner(running)).toContain(line);
    await running.close();
  });
});
