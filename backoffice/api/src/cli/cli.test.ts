import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connectPostgres, type Database, openEmbedded } from '@shop/server/platform/db/database';
import { embeddedFolder } from '@shop/server/start';
import { createDatabase } from '@shop/server/test/support/postgres';
import { runShop } from '@shop/server/test/support/run-shop';
import { kinds } from '@shop/server/test/support/test-app';
import { writeSecrets } from '@shop/server/test/support/test-goods';

const root = path.join(__dirname, '../../../..');

// On PGlite, a running command has the database for itself.
describe.each(kinds)('npm run shop on %s', (kind) => {
  let folder: string;
  let env: Record<string, string>;
  let db: Database;

  const shop = async (...args: string[]) => {
    await db?.close();
    const said = await runShop(args, env);
    db = await openDatabase();
    return said;
  };
  const openDatabase = async () => {
    const { DATABASE_URL: url } = env;
    return url ? connectPostgres(url, { max: 2 }) : openEmbedded({ folder: embeddedFolder(folder) });
  };
  const file = (name: string, text: string | Buffer) => {
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
    const first = await shop('import', seed, '--empty');
    expect(first).toMatchObject({ code: 0, out: 'Imported 1 goods, 0 new codes, 0 known codes.\n' });
  }, 300_000);
  afterAll(() => db?.close());

  it('npm run shop prints its help, and one line for each mistake in a command', async () => {
    const help = await shop('--help');
    expect(help.code).toBe(0);
    for (const word of ['import', 'rotate-keys', 'staff-setup', 'DATABASE_URL']) expect(help.out).toContain(word);
    const gbk = file('gbk.csv', Buffer.concat([Buffer.from('goods,spec,card_no\ncard,a,'), Buffer.from([0xc4, 0xe3])]));
    const faults: Array<[args: string[], line: RegExp]> = [
      [['dance'], /^There is no command "dance"\. Try: npm run shop -- --help\n$/],
      [['import'], /^import needs a file\. Try: /],
      [['import', 'nowhere.csv'], /^nowhere\.csv cannot be read\.\n$/],
      [['import', gbk], /gbk\.csv is not UTF-8/],
      [['staff-setup', '--by', ' '], /^Give your name: --by/],
    ];
    for (const [args, line] of faults) {
      const { code, out, err } = await shop(...args);
      expect([args.join(' '), code, out]).toEqual([args.join(' '), 1, '']);
      expect(err).toMatch(line);
    }
    expect((await shop('--nonsense')).code).toBe(2);
    expect((await shop('toString')).err).toMatch(/^There is no command/);
  }, 300_000);

  it('npm run shop records the staff name in the audit log: the login of the machine before sudo, or --by', async () => {
    const imported = "select actor from audit_log where action = 'import'";
    expect(await db.rows(imported)).toEqual([{ actor: `${os.userInfo().username} (staff)` }]);
    expect((await shop('staff-setup', '--by', '李雷')).code).toBe(0);
    env.SUDO_USER = 'ann';
    expect((await shop('staff-setup')).code).toBe(0);
    delete env.SUDO_USER;
    const entered = "select actor from audit_log where action = 'staff.invite' order by id desc limit 2";
    expect(await db.rows(entered)).toEqual([{ actor: 'ann (staff)' }, { actor: '李雷 (staff)' }]);
  }, 300_000);
});

it('npm run shop ends quietly when its output is closed', () => {
  const line = `"${process.execPath}" --import tsx backoffice/api/src/cli/main.ts --help | true; exit "\${PIPESTATUS[0]}"`;
  const { status, stderr } = spawnSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
