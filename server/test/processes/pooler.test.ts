import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@platform/pages/testing/nginx';
import { until } from '../../../scripts/jest/until';
import { findProgram, howToInstall } from '../../../scripts/setup/programs.mjs';
import { connectPostgres } from '../../src/platform/db/database';
import { openContext } from '../../src/start';
import { createDatabase, postgresUrl } from '../support/postgres';
import { isOpen } from '../support/shop-process';
import { kinds } from '../support/test-app';
import { writeSecrets } from '../support/test-goods';

const program = findProgram('pgbouncer');
if (!program) console.warn(`\npgbouncer was not found, so its test is skipped. ${howToInstall('pgbouncer')}`);
const withPooler = program && kinds.includes('postgres') ? describe : describe.skip;

withPooler('PostgreSQL behind PgBouncer', () => {
  let folder: string;
  let poolers: ChildProcess[];
  let database: string;
  beforeAll(async () => {
    database = `pooler_${process.pid}`;
    await createDatabase(database);
  });
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-pooler-'));
    writeSecrets(folder);
    fs.chownSync(folder, owner().uid, owner().gid);
    poolers = [];
  });
  afterEach(async () => {
    for (const pooler of poolers) {
      pooler.kill('SIGTERM');
      if (pooler.exitCode === null) await once(pooler, 'exit');
    }
  });

  /** PgBouncer does not run as root, and reads the folder of PostgreSQL's socket. */
  const owner = () => {
    const { uid, gid } = fs.statSync(process.env.SHOP_TEST_POSTGRES as string);
    return { uid, gid };
  };

  /** Starts PgBouncer with these settings. Returns the DATABASE_URL that leads through it. */
  async function pooler(settings: Record<string, string | number>): Promise<string> {
    const port = await freePort();
    const file = path.join(folder, 'pgbouncer.ini');
    const all = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', ...settings };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    const target = `host=${process.env.SHOP_TEST_POSTGRES} dbname=${database} user=postgres`;
    fs.writeFileSync(file, `[databases]\nshop = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
    poolers.push(spawn(program as string, ['-q', file], { ...owner(), stdio: 'ignore' }));
    await until('PgBouncer', () => isOpen(port));
    return `postgres://shop@127.0.0.1:${port}/shop`;
  }

  const ignored = 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout,extra_float_digits';

  it.each([
    ['transaction', {}],
    ['transaction', { ignore_startup_parameters: ignored }],
    ['transaction', { server_round_robin: 1, min_pool_size: 2 }],
    ['transaction', { default_pool_size: 1 }],
    ['statement', {}],
  ])('the server refuses pool_mode=%s with %j, and names the mode that works', async (pool_mode, settings) => {
    const databaseUrl = await pooler({ pool_mode, ...settings });
    await expect(openContext({ dataDir: folder, databaseUrl, env: {} })).rejects.toThrow(
      /^DATABASE_URL leads to a pooler [^\n]*pool_mode=session[^\n]*$/,
    );
    const direct = await connectPostgres(postgresUrl(process.env.SHOP_TEST_POSTGRES as string, database));
    expect(await direct.row("select 1 where to_regclass('schema_migrations') is not null")).toBeUndefined();
    await direct.close();
  });

  it.each([
    ['its own settings', {}],
    ['ignored parameters', { ignore_startup_parameters: ignored }],
  ])(
    'the server works with pool_mode=session and %s, and its time limits hold',
    async (_what, settings) => {
      const databaseUrl = await pooler({ pool_mode: 'session', default_pool_size: 40, ...settings });
      const { db } = await openContext({ dataDir: folder, databaseUrl, env: {} });
      const read = db.as('read', 'a test');
      expect(await read.rows('select key from goods limit $1', [1])).toHaveLength(1);
      await expect(read.rows('select pg_sleep(20)')).rejects.toMatchObject({ code: '57014' });
      await db.close();
    },
    60_000,
  );
});
