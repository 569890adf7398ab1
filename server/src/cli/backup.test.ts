import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { list } from 'tar';
import { repetitions } from '../../../scripts/jest/test-scale';
import { fillShop, type ShopGoods, type Shopper } from '../../test/support/fill-shop';
import { faultsOf } from '../../test/support/invariants';
import { createDatabase } from '../../test/support/postgres';
import { runShop } from '../../test/support/run-shop';
import { kinds } from '../../test/support/test-app';
import { writeSecrets } from '../../test/support/test-goods';
import { readConfig } from '../config';
import { openEmbedded } from '../platform/db/database';
import { embeddedFolder, openContext, type RunningServer, startServer } from '../start';

const PURCHASES = repetitions(200);
const BUYERS = 10;

type ShopEnv = { DATA_DIR: string; DATABASE_URL?: string };

describe.each(kinds)('backup of a shop on %s', (kind) => {
  let folder: string;
  let env: ShopEnv;
  let server: RunningServer;
  let goods: ShopGoods;
  let users: Shopper[];

  const shop = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const { code, out, err } = await runShop(args, env);
    return { code, text: (out + err).trim() };
  };
  const call = async (user: Shopper, url: string, payload: object) => {
    const headers = { authorization: `Bearer ${user.token}`, 'idempotency-key': `key-${Math.random()}`.slice(0, 30) };
    const send = () => server.app.inject({ method: 'POST', url: `/api/front/${url}`, headers, payload });
    let answer = await send();
    while (answer.statusCode === 503) answer = await send();
    return answer.json();
  };
  const buy = async (user: Shopper): Promise<string> => {
    const selection = { goods_id: goods.card.id, spec_id: goods.card.spec, quantity: 1 };
    const { price_version } = (await call(user, 'order/preview', selection)).data;
    const { order_no } = (await call(user, 'order/create', { ...selection, price_version })).data;
    expect(await call(user, 'payment/balance', { order_no })).toMatchObject({ code: 200 });
    return order_no;
  };
  const emptyShop = async (name: string): Promise<ShopEnv> => {
    const DATA_DIR = path.join(folder, name);
    if (kind === 'pglite') return { DATA_DIR };
    return { DATA_DIR, DATABASE_URL: await createDatabase(`backup_${name}_${process.pid}`) };
  };

  const start = () => {
    const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = env;
    return startServer({ port: 0, host: '127.0.0.1', dataDir, databaseUrl, env, jobs: false, seed: false });
  };
  const backup = async (...names: string[]) => {
    if (kind === 'pglite') await server.close();
    const files = names.map((name) => path.join(folder, name));
    const done = await Promise.all(kind === 'pglite' ? [] : files.map((file) => shop(env, 'backup', file)));
    if (kind === 'pglite') for (const file of files) done.push(await shop(env, 'backup', file));
    if (kind === 'pglite') server = await start();
    expect(done.map(({ code, text }) => [code, text])).toEqual(
      files.map((file) => [0, expect.stringContaining(`Saved to ${file}.`)]),
    );
    return files;
  };

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-backup-'));
    env = await emptyShop('original');
    const dataDir = env.DATA_DIR;
    if (kind === 'pglite')
      await (await openEmbedded({ folder: embeddedFolder(dataDir), template: process.env.SHOP_TEST_TEMPLATE })).close();
    else fs.mkdirSync(dataDir);
    writeSecrets(dataDir);
    server = await start();
    ({ goods, users } = await fillShop(server.context, { people: BUYERS }));
  }, 300_000);
  afterAll(async () => {
    await server?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('a backup during purchases on PostgreSQL holds every sale made before it began and satisfies all invariants', async () => {
    await server.context.providers.pictures.put('avatar/1/a.webp', Buffer.from('picture'), 'image/webp');
    const sold: string[] = [];
    const share = PURCHASES / BUYERS;
    const work = Promise.all(
      users.map(async (user) => {
        for (let count = 0; count < share; count++) sold.push(await buy(user));
      }),
    );
    while (sold.length < PURCHASES / 4) await new Promise((resolve) => setImmediate(resolve));
    const before = [...sold];
    if (kind === 'pglite') await work;
    const files = await backup('one.tgz', 'two.tgz');
    await work;
    // A restore takes seconds, so by default only one file is restored.
    for (const [index, file] of (process.env.TEST_FULL ? files : files.slice(0, 1)).entries()) {
      const target = await emptyShop(`restored${index}`);
      const restored = await shop(target, 'restore', file, '--keys', env.DATA_DIR);
      expect(restored).toEqual({ code: 0, text: expect.stringContaining('the keys open it') });
      const { db, keyring, providers } = await openContext({
        dataDir: target.DATA_DIR,
        databaseUrl: target.DATABASE_URL,
        env: target,
        seed: false,
      });
      expect(await faultsOf(db)).toEqual({});
      const rows = await db.rows<{ order_no: string }>('select order_no from orders where status = 30');
      expect(rows.map((row) => row.order_no)).toEqual(expect.arrayContaining(before));
      expect(rows.length).toBeLessThanOrEqual(PURCHASES);
      const card = await db.one<{ key_id: string; card_no: Buffer }>('select key_id, card_no from card_codes limit 1');
      expect(keyring.decrypt(card.key_id, card.card_no)).not.toBe('');
      expect(await providers.pictures.get('avatar/1/a.webp')).toEqual(Buffer.from('picture'));
      await expect(db.script('delete from ledger_entries')).rejects.toThrow('append-only');
      await db.close();
      expect((await shop(target, 'restore', file)).text).toMatch(/already holds a (shop|database)/);
    }
  }, 300_000);

  it('a restore needs the shop’s own keys: it makes none up, keeps nothing without them, and no later start generates others', async () => {
    const target = await emptyShop('keyless');
    const file = path.join(folder, 'one.tgz');
    expect((await shop(target, 'restore', file)).text).toMatch(/^restore needs the keys of the shop/);
    expect(fs.existsSync(target.DATA_DIR)).toBe(false);
    const other = path.join(folder, 'other-keys');
    readConfig({ dataDir: other, env: {} });
    expect((await shop(target, 'restore', file, '--keys', other)).text).toMatch(/^The keys do not open this database/);
    const left = fs.readdirSync(target.DATA_DIR, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile() && !entry.name.includes('lock'))).toEqual([]);

    expect((await shop(target, 'restore', file, '--keys', env.DATA_DIR)).code).toBe(0);
    fs.rmSync(path.join(target.DATA_DIR, 'card-key'));
    expect((await shop(target, 'rotate-keys')).text).toMatch(/card-key is missing: restore it/);
    expect(fs.existsSync(path.join(target.DATA_DIR, 'card-key'))).toBe(false);
  }, 300_000);

  it('a backup is packed again if a picture is removed meanwhile, holds no key, and leaves no other file behind', async () => {
    await server.context.providers.pictures.put('avatar/1/a.webp', Buffer.from('picture'), 'image/webp');
    const gone = path.join(env.DATA_DIR, 'uploads/avatar/1/gone.webp');
    fs.symlinkSync('nowhere', gone);
    let attempts = 0;
    const { createWriteStream } = fs;
    const spy = jest.spyOn(fs, 'createWriteStream').mockImplementation((...args) => {
      attempts++;
      if (attempts === 2) fs.rmSync(gone);
      return createWriteStream(...args);
    });
    const [file = ''] = await backup('kept.tgz');
    spy.mockRestore();
    expect(attempts).toBe(2);
    const names: string[] = [];
    await list({ file, onReadEntry: (entry) => void names.push(entry.path) });
    expect([...new Set(names.map((name) => name.split('/')[0]))].sort()).toEqual(
      kind === 'pglite' ? ['pgdata', 'uploads'] : ['database.dump', 'uploads'],
    );
    expect(names.filter((name) => name.startsWith('uploads/avatar/1/'))).toEqual([
      'uploads/avatar/1/',
      'uploads/avatar/1/a.webp',
    ]);
    expect(fs.readdirSync(folder).filter((name) => name.includes('part'))).toEqual([]);
    expect(fs.readdirSync(env.DATA_DIR).filter((name) => /restore|backup/.test(name))).toEqual([]);
  }, 300_000);

  it('a backup reports an unwritable file in one line, and a restore refuses a file that is no backup', async () => {
    const nowhere = path.join(folder, 'nowhere', 'a.tgz');
    if (kind === 'pglite') await server.close();
    expect(await shop(env, 'backup', nowhere)).toEqual({
      code: 1,
      text: expect.stringMatching(/^.*nowhere.a\.tgz cannot be written: ENOENT[^\n]*$/),
    });
    const damaged = path.join(folder, 'damaged.tgz');
    fs.writeFileSync(damaged, fs.readFileSync(path.join(folder, 'kept.tgz')).subarray(0, 20_000));
    const target = await emptyShop('damaged');
    expect(await shop(target, 'restore', damaged, '--keys', env.DATA_DIR)).toEqual({
      code: 1,
      text: expect.stringContaining('is not a backup, or damaged'),
    });
    expect(fs.readdirSync(target.DATA_DIR)).toEqual([]);
  }, 300_000);
});
