import { execFile, spawnSync } from 'node:child_process';
import { Console } from 'node:console';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { createUser } from '@shop/server/accounts/auth/auth.service';
import { connectPostgres, type Database, openEmbedded } from '@shop/server/platform/db/database';
import { embeddedFolder } from '@shop/server/start';
import { createDatabase } from '@shop/server/test/support/postgres';
import { kinds } from '@shop/server/test/support/test-app';
import { writeSecrets } from '@shop/server/test/support/test-goods';
import { runCli } from './run-cli';

const root = path.join(__dirname, '../../../..');

// On PGlite the database is a command's alone while it runs.
describe.each(kinds)('npm run shop on %s', (kind) => {
  let folder: string;
  let env: Record<string, string>;
  let db: Database;

  const shop = async (...args: string[]) => {
    const text = { out: '', err: '' };
    const into = (stream: 'out' | 'err') =>
      new Writable({
        write(chunk, _encoding, done) {
          text[stream] += chunk;
          done();
        },
      });
    await db?.close();
    const code = await runCli(args, env, new Console(into('out'), into('err')));
    db = await openDatabase();
    return { code, ...text };
  };
  const openDatabase = async () => {
    const { DATABASE_URL: url } = env;
    return url ? connectPostgres(url, { max: 2 }) : openEmbedded({ folder: embeddedFolder(folder) });
  };
  const file = (name: string, text: string) => {
    const at = path.join(folder, name);
    fs.writeFileSync(at, text);
    return at;
  };
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-cli-'));
    env = { DATA_DIR: folder };
    writeSecrets(folder);
    const url = kind === 'postgres' ? await createDatabase(`cli_${process.pid}`) : undefined;
    if (url) env.DATABASE_URL = url;
    else
      await (await openEmbedded({ folder: embeddedFolder(folder), template: process.env.SHOP_TEST_TEMPLATE })).close();
    const goods = [
      {
        key: 'card',
        name: { 'zh-CN': '卡', en: 'Card' },
        category: 'games',
        recharge_type: 1,
        specs: [{ key: '10', name: { 'zh-CN': '十', en: 'Ten' }, face_value: '10', prices: { CNY: '9.90' } }],
      },
    ];
    const categories = [{ key: 'games', name: { 'zh-CN': '游戏', en: 'Games' } }];
    const seed = file('goods.json', JSON.stringify({ categories, goods }, null, 2));
    // The first command migrates; what it finds is an empty shop.
    const first = await shop('import', seed, '--empty');
    expect(first).toMatchObject({ code: 0, out: 'Imported 1 goods, 0 new codes, 0 known codes.\n' });
    const person = await createUser(db, { phone: '13900000007' });
    await db.run("select wallet_post($1, 'CNY', 1, 500, 0, 'adjustment', null, null, null, '', 'test')", [person?.id]);
  }, 300_000);
  afterAll(async () => {
    await db?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('prints its help, and one line for each mistake in a command', async () => {
    const help = await shop('--help');
    expect(help.code).toBe(0);
    for (const word of [
      'import',
      'backup',
      'restore',
      'rotate-keys',
      'staff-setup',
      'staff login',
      'staff call',
      'DATABASE_URL',
    ])
      expect(help.out).toContain(word);
    const faults: Array<[args: string[], line: RegExp]> = [
      [['dance'], /^There is no command "dance"\. Try: npm run shop -- --help\n$/],
      [['backup'], /^backup needs a file\. Try/],
      [['import', 'nowhere.csv'], /^nowhere\.csv cannot be read\.\n$/],
      [['staff-setup', '--by', ' '], /^Say who you are: --by/],
    ];
    for (const [args, line] of faults) {
      const { code, out, err } = await shop(...args);
      expect([args.join(' '), code, out]).toEqual([args.join(' '), 1, '']);
      expect(err).toMatch(line);
    }
    expect((await shop('--nonsense')).code).toBe(2);
    expect((await shop('toString')).err).toMatch(/^There is no command/);
  }, 300_000);

  it('runs as a program', async () => {
    const program = (...args: string[]) =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', 'backoffice/api/src/cli/main.ts', ...args], {
        cwd: root,
        env: { PATH: process.env.PATH ?? '', HOME: os.homedir(), ...env },
      });
    await db.close();
    expect(await program('staff-setup')).toMatchObject({
      stdout: expect.stringContaining('/staff/setup#'),
      stderr: '',
    });
    await expect(program('dance')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no command'),
    });
    db = await openDatabase();
  }, 300_000);

  it('enters the name of who did it: the login of the machine before sudo, or as said', async () => {
    const imported = "select actor from audit_log where action = 'import'";
    expect(await db.rows(imported)).toEqual([{ actor: `${os.userInfo().username} (staff)` }]);
    expect((await shop('staff-setup', '--by', '李雷')).code).toBe(0);
    env.SUDO_USER = 'ann';
    expect((await shop('staff-setup')).code).toBe(0);
    delete env.SUDO_USER;
    const entered = "select actor from audit_log where action = 'staff.invite' order by id desc limit 2";
    expect(await db.rows(entered)).toEqual([{ actor: 'ann (staff)' }, { actor: '李雷 (staff)' }]);
  }, 300_000);

  (kind === 'postgres' ? it : it.skip)(
    'backs PostgreSQL up and restores it into an empty database, and into no other',
    async () => {
      const copy = path.join(folder, 'backup.dump');
      const saved = await shop('backup', copy);
      expect(saved).toMatchObject({ code: 0, out: expect.stringContaining('Saved to') });
      expect((await shop('restore', copy)).err).toMatch(/holds a shop already/);
      const before = await db.rows('select id, balance from wallets join users on users.id = user_id');
      const url = await createDatabase(`cli_restored_${process.pid}`);
      env = { ...env, DATABASE_URL: url };
      expect(await shop('restore', copy)).toMatchObject({ code: 0, err: '' });
      const restored = await connectPostgres(url, { max: 1 });
      expect(await restored.rows('select id, balance from wallets join users on users.id = user_id')).toEqual(before);
      // Its guards came with it.
      await expect(restored.script('delete from ledger_entries')).rejects.toThrow('append-only');
      await restored.actAs('shop_app');
      await expect(restored.script('delete from orders')).rejects.toThrow('permission denied');
      await restored.close();
    },
    300_000,
  );
});

it('npm run shop ends quietly when nobody reads its output any more', () => {
  const line = `"${process.execPath}" --import tsx backoffice/api/src/cli/main.ts --help | true; exit "\${PIPESTATUS[0]}"`;
  const { status, stderr } = spawnSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
