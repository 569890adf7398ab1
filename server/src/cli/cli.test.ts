import { execFile, spawnSync } from 'node:child_process';
import { Console } from 'node:console';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { placeOrder } from '../../test/support/place-order';
import { createDatabase } from '../../test/support/postgres';
import { kinds } from '../../test/support/test-app';
import { writeSecrets } from '../../test/support/test-goods';
import { createUser } from '../accounts/auth/auth.service';
import { addEnquiry } from '../content/content.service';
import { connectPostgres, type Database, openEmbedded } from '../platform/db/database';
import { embeddedFolder } from '../start';
import { runCli } from './run-cli';

const root = path.join(__dirname, '../../..');
const phone = '13900000007';

// On PGlite the database is a command's alone while it runs.
describe.each(kinds)('npm run shop on %s', (kind) => {
  let folder: string;
  let env: Record<string, string>;
  let db: Database;
  let userId: number;

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
  const audited = async (action: string) =>
    (
      await db.rows<{ n: number }>('select 1 as n from audit_log where actor = $1 and action = $2', [
        `${os.userInfo().username} (staff)`,
        action,
      ])
    ).length;

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
        key: 'hand',
        name: { 'zh-CN': '人工', en: 'By hand' },
        category: 'games',
        recharge_type: 4,
        specs: [{ key: 'a', name: { 'zh-CN': '甲', en: 'A' }, face_value: '1', prices: { CNY: '20.00' } }],
      },
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
    expect(first).toMatchObject({ code: 0, out: 'Imported 2 goods, 0 new codes, 0 known codes.\n' });
    userId = (await createUser(db, { phone }))?.id ?? 0;
    await db.script(`insert into coupons (key, name_zh, name_en, coupon_type, expire_type, expire_day, apply_range)
      values ('gift', '券', 'Coupon', 10, 10, 7, 10); insert into coupon_amounts select id, 'CNY', 100, 0 from coupons`);
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
      'orders',
      'deliver',
      'refund',
      'give',
      'adjust',
      'freeze',
      'thaw',
      'user',
      'export',
      'closures',
      'erase',
      'article',
      'config',
      'report',
      'backup',
      'restore',
      'rotate-keys',
      'staff-setup',
      'DATABASE_URL',
    ])
      expect(help.out).toContain(word);
    const faults: Array<[args: string[], line: RegExp]> = [
      [['dance'], /^There is no command "dance"\. Try: npm run shop -- --help\n$/],
      [['refund'], /^refund needs an order number\. Try/],
      [['adjust', phone, 'a lot', '--reason', 'x'], /^"a lot" is not an amount like 12\.34\.\n$/],
      [['adjust', phone, '1.00'], /^A reason is needed/],
      [['deliver', 'NOSUCHORDER'], /^There is no order NOSUCHORDER\.\n$/],
      [['give', '13700000000', 'gift'], /^There is no user with the phone 13700000000\.\n$/],
      [['import', 'nowhere.csv'], /^nowhere\.csv cannot be read\.\n$/],
      [['report', 'yesterday'], /^"yesterday" is not a day like 2026-01-31\.\n$/],
      [['user', phone, 'bless'], /^"bless" is none of disable, enable/],
      [['adjust', phone, '-9999.00', '--reason', 'x'], /^The balance is too low\.?\n$/],
    ];
    for (const [args, line] of faults) {
      const { code, out, err } = await shop(...args);
      expect([args.join(' '), code, out]).toEqual([args.join(' '), 1, '']);
      expect(err).toMatch(line);
    }
    expect((await shop('--nonsense')).code).toBe(2);
    expect((await shop('toString')).err).toMatch(/^There is no command/);
  }, 300_000);

  it('exports and erases a person, and says what stands in the way', async () => {
    const theirs = '13900000018';
    const id = (await createUser(db, { phone: theirs, nickname: '要走的人' }))?.id ?? 0;
    const post = (amount: number) =>
      db.one("select wallet_post($1, 'CNY', 3, $2, 0, 'adjustment', null, null, null, '', 'test')", [id, amount]);
    await post(500);
    expect((await shop('export', theirs, path.join(folder, 'data.txt'))).err).toMatch(
      /ends in neither \.json nor \.csv/,
    );
    const target = path.join(folder, 'data.json');
    expect(await shop('export', theirs, target)).toMatchObject({ code: 0, out: `Written to ${target}.\n` });
    expect(JSON.parse(fs.readFileSync(target, 'utf8'))).toMatchObject({
      profile: [{ phone: theirs, nickname: '要走的人' }],
      funds_log: [{ amount: '5.00' }],
    });
    expect(fs.statSync(target).mode & 0o777).toBe(0o600);
    expect((await shop('export', theirs, target)).err).toBe(`${target} exists already.\n`);
    expect((await shop('erase', theirs, '--reason', 'a letter')).err).toMatch(/^Not erased: the wallet is not empty/);
    await post(-500);

    await db.run("update users set close_at = now() + interval '3 days' where id = $1", [id]);
    expect(JSON.parse((await shop('closures', '--json')).out)).toMatchObject([{ phone: '139****0018', waits_for: '' }]);
    expect((await shop('erase', theirs, '--reason', 'a letter')).out).toMatch(/kept as erased-\w{12}\./);
    expect(await db.one('select phone, nickname <> $2 as renamed from users where id = $1', [id, '要走的人'])).toEqual({
      phone: null,
      renamed: true,
    });
    expect((await shop('erase', theirs, '--reason', 'again')).err).toMatch(/^There is no user with the phone/);
    expect([await audited('account.export'), await audited('account.erase')]).toEqual([2, 1]);
  }, 300_000);

  it('runs as a program', async () => {
    const program = (...args: string[]) =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', 'server/src/cli/main.ts', ...args], {
        cwd: root,
        env: { PATH: process.env.PATH ?? '', HOME: os.homedir(), ...env },
      });
    await db.close();
    expect(await program('report', '--json')).toMatchObject({ stdout: expect.stringContaining('CNY'), stderr: '' });
    await expect(program('dance')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no command'),
    });
    db = await openDatabase();
  }, 300_000);

  it('imports codes with a dry run, and names file and line of every fault', async () => {
    const header = 'goods,spec,card_no,card_pwd,expire_at\n';
    const bad = file('bad.csv', `${header}card,10,C1,P1,\ncard,99,C2,P2,\n`);
    const fault = await shop('import', bad);
    expect(fault.code).toBe(1);
    expect(fault.err).toContain(`${bad}:3: there are no card-code goods "card" with spec "99"`);
    expect(fault.out).toContain('Nothing was imported: 1 line(s) to mend.');
    const good = file('good.csv', `${header}card,10,C1,P1,\ncard,10,C2,P2,2030-01-01\n`);
    expect((await shop('import', good, '--dry-run')).out).toContain('The file is fine: 0 goods, 2 new codes');
    expect((await db.one<{ n: number }>('select count(*) as n from card_codes')).n).toBe(0);
    expect((await shop('import', good)).out).toBe('Imported 0 goods, 2 new codes, 0 known codes.\n');
    expect(await audited('import')).toBe(2);
  }, 300_000);

  it('enters the name of who did it: the login of the machine before sudo, or as said', async () => {
    expect((await shop('adjust', phone, '5.00', '--reason', 'x', '--by', '李雷')).code).toBe(0);
    env.SUDO_USER = 'ann';
    expect((await shop('adjust', phone, '-5.00', '--reason', 'x')).code).toBe(0);
    delete env.SUDO_USER;
    const entered = 'select actor from audit_log where action = $1 order by id desc limit 2';
    expect(await db.rows(entered, ['wallet.adjust'])).toEqual([{ actor: 'ann (staff)' }, { actor: '李雷 (staff)' }]);
    const booked = 'select actor from ledger_transactions order by id desc limit 2';
    expect(await db.rows(booked)).toEqual([{ actor: 'ann (staff)' }, { actor: '李雷 (staff)' }]);
    expect((await shop('adjust', phone, '5.00', '--reason', 'x', '--by', ' ')).err).toMatch(/^Say who you are: --by/);
  }, 300_000);

  it('lists the enquiries that wait for an answer, and closes them', async () => {
    const add = (company: string) =>
      addEnquiry(db, { company, contact: '韩梅梅', phone: '13911112222', type: 'x', content: '你好' }, '10.0.0.1');
    for (const company of ['甲公司', '乙公司']) await add(company);
    const listed = JSON.parse((await shop('enquiries', '--json')).out);
    expect(listed).toMatchObject([{ company: '甲公司', contact: '韩梅梅', content: '你好' }, { company: '乙公司' }]);
    const number = String(listed[0].id);
    expect((await shop('enquiry', number)).err).toMatch(/^enquiry needs --note/);
    expect(await shop('enquiry', number, '--note', 'rang them', '--by', 'ann')).toMatchObject({ code: 0 });
    expect((await shop('enquiry', number, '--note', 'again')).err).toBe(`There is no open enquiry ${number}.\n`);
    expect(JSON.parse((await shop('enquiries', '--json')).out)).toMatchObject([{ company: '乙公司' }]);
    expect(JSON.parse((await shop('enquiries', '--all', '--json')).out)).toMatchObject([
      { company: '乙公司', closed_at: null },
      { company: '甲公司', closed_by: 'ann (staff)', answer: 'rang them' },
    ]);
  }, 300_000);

  it('moves money with a reason: adjust, freeze, thaw', async () => {
    expect((await shop('adjust', phone, '100.00', '--reason', 'gift')).out).toBe('Balance: 100.00 CNY\n');
    expect((await shop('adjust', phone, '-10.00', '--reason', 'mistake')).out).toBe('Balance: 90.00 CNY\n');
    expect((await shop('freeze', phone, '30.00', '--reason', 'check')).out).toBe('Balance: 60.00 CNY\n');
    expect((await shop('thaw', phone, '30.00', '--reason', 'fine', '--json')).out).toBe('{\n  "balance": "90.00"\n}\n');
    for (const [action, count] of [
      ['wallet.adjust', 2],
      ['wallet.freeze', 1],
      ['wallet.thaw', 1],
    ] as const)
      expect([action, await audited(action)]).toEqual([action, count]);
  }, 300_000);

  it('lists, delivers and refunds orders by hand', async () => {
    const [one, two] = [await placeOrder(db, userId, 'hand'), await placeOrder(db, userId, 'hand')];
    const list = await shop('orders');
    for (const text of [one, two, '人工']) expect(list.out).toContain(text);
    expect(await shop('deliver', one, '--note', 'sent by mail')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect((await shop('deliver', one)).err).toBe(`Order ${one} is not waiting for delivery.\n`);
    expect(await shop('refund', two, '--reason', 'no stock')).toMatchObject({ code: 0 });
    expect((await shop('refund', two, '--reason', 'again')).err).toBe(`Order ${two} has nothing to refund.\n`);
    expect(JSON.parse((await shop('orders', '--json')).out)).toEqual([]);
    const rows = await db.rows('select status from orders order by id');
    expect(rows).toEqual([{ status: 30 }, { status: 60 }]);
    expect([await audited('order.deliver'), await audited('order.refund')]).toEqual([1, 1]);
    // Buyers may read the timeline of their orders: it names nobody.
    const actors = await db.rows<{ actor: string }>('select distinct actor from order_events');
    expect(actors.map(({ actor }) => actor).sort()).toEqual(['staff', 'system']);
    const day = JSON.parse((await shop('report', '--json')).out);
    expect(day[0]).toMatchObject({ currency: 'CNY', paid: 2, sales: '40.00', refunds: '20.00', recharged: '0.00' });
  }, 300_000);

  it('gives a coupon once, disables a user, and edits texts', async () => {
    expect((await shop('coupons')).out).toContain('gift');
    expect((await shop('give', phone, 'gift')).code).toBe(0);
    expect((await shop('give', phone, 'gift')).err).toBe('You have already claimed this coupon.\n');
    expect((await shop('user', phone, 'disable')).code).toBe(0);
    expect(await db.one('select is_usable from users where id = $1', [userId])).toEqual({ is_usable: 0 });
    const html = file('a.html', '<p>Hi<script>x()</script></p>');
    const titles = ['--title-zh', '标题', '--title-en', 'Title'];
    expect((await shop('article', 'help', ...titles, '--zh', html, '--en', html)).code).toBe(0);
    expect(await db.one("select content_en from articles where id = 'help'")).toEqual({ content_en: '<p>Hi</p>' });
    expect((await shop('config', 'icp', 'ICP 1')).code).toBe(0);
    expect((await shop('config', 'copyright', '{"zh-CN":"甲","en":"A"}')).code).toBe(0);
    expect((await shop('config', 'copyright', '{broken')).err).toBe('The value looks like JSON but is not.\n');
    for (const action of ['coupon.give', 'user.disable', 'article.set'])
      expect([action, await audited(action)]).toEqual([action, 1]);
    expect(await audited('config.set')).toBe(2);
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
  const line = `"${process.execPath}" --import tsx server/src/cli/main.ts --help | true; exit "\${PIPESTATUS[0]}"`;
  const { status, stderr } = spawnSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
