import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type RunningServer, startServer } from './app/start';
import { createUser, openSession } from './auth/auth.service';
import { addCards, saveCategory, saveGoods } from './catalogue/goods.store';
import { connectPostgres } from './db/database';
import { jobs, runJob } from './jobs/jobs';
import { postgresUrl } from './testing/postgres';
import { kinds } from './testing/world';
import { post } from './wallet/wallet.service';

const onPostgres = kinds.includes('postgres') ? describe : describe.skip;

onPostgres('two server processes on one PostgreSQL', () => {
  const servers: RunningServer[] = [];
  let folder: string;
  let token: string;
  let goods: { id: number; specs: Map<string, number> };
  let userId: number;

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-two-'));
    const socket = process.env.SHOP_TEST_POSTGRES ?? '';
    const admin = await connectPostgres(postgresUrl(socket, 'postgres'), 1);
    const name = `two_${process.pid}`;
    await admin.script(`create database ${name}`);
    await admin.close();
    // Both at once, as after a deployment: one of them migrates.
    const start = () =>
      startServer({
        port: 0,
        host: '127.0.0.1',
        dataDir: folder,
        databaseUrl: postgresUrl(socket, name),
        env: {},
        seed: false,
        jobs: false,
      });
    servers.push(...(await Promise.all([start(), start()])));
    const [{ shop }] = servers as [RunningServer];
    const texts = { 'zh-CN': '游戏', en: 'Game' };
    const category = await saveCategory(shop.db, { key: 'games', name: texts, icon: '', sort: 0 });
    goods = await saveGoods(shop.db, category, {
      key: 'card',
      name: texts,
      aliases: [],
      initial: 'Y',
      recharge_type: 1,
      stock_type: 'stock',
      status: 1,
      spec_type: 1,
      tags: [],
      image: '',
      description_html: texts,
      notice: texts,
      specs: [{ key: 'a', name: texts, face_value: '1', prices: { CNY: '10.00' }, max_qty: 10, stock: null }],
      custom: null,
      fields: [],
      limits: { min: 1, max: 10, per_user: null, per_day: null },
      need_verify_account: false,
      sort: 0,
    });
    const cards = Array.from({ length: 20 }, (_one, index) => ({ card_no: `N${index}`, card_pwd: 'P' }));
    await addCards(shop.db, shop.keyring, shop.config.secret, goods.specs.get('a') as number, cards);
    const user = await createUser(shop.db, { phone: '13900000009' });
    userId = user?.id ?? 0;
    await post(shop.db, { userId, currency: 'CNY', type: 1, available: 5000, counter: 'adjustment', actor: 'test' });
    token = (await openSession(shop.db, { id: userId, is_usable: 1 }, '127.0.0.1')).access_token;
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const call = async (index: number, url: string, body: object, key = `key-${Math.random()}`.slice(0, 30)) => {
    const server = servers[index % 2] as RunningServer;
    const response = await fetch(`http://127.0.0.1:${server.port}/api/front/${url}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'idempotency-key': key,
        currency: 'CNY',
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { code: number; data: Record<string, string> };
  };
  const times = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_one, index) => work(index)));

  it('share sessions, keys, money and limits', async () => {
    const body = { goods_id: goods.id, spec_id: goods.specs.get('a'), quantity: 1 };
    const { price_version } = (await call(0, 'order/preview', body)).data;
    const created = await times(10, (index) => call(index, 'order/create', { ...body, price_version }, 'one-key-only'));
    const numbers = new Set(created.filter((one) => one.code === 200).map((one) => one.data.order_no));
    expect(numbers.size).toBe(1);
    expect(created.every((one) => one.code === 200 || one.code === 40901)).toBe(true);
    const [order_no] = numbers;
    const paid = await times(20, (index) => call(index, 'payment/balance', { order_no }));
    expect(paid.every((one) => one.code === 200 && one.data.balance === '40.00')).toBe(true);
    const codes = await times(6, (index) => call(index, 'app/send_code', { phone: '13711112222' }));
    expect(codes.filter((one) => one.code === 200)).toHaveLength(1);
    expect((await call(0, 'app/logout', {})).code).toBe(200);
    expect((await call(1, 'app/logout', {})).code).toBe(401);
  });

  it('run the jobs side by side without doing anything twice', async () => {
    const { db } = (servers[0] as RunningServer).shop;
    const { n } = await db.one<{ n: number }>('select count(*) as n from orders');
    expect(n).toBe(1);
    await Promise.all(servers.flatMap(({ shop }) => jobs.map((job) => runJob(shop, job))));
    const health = await fetch(`http://127.0.0.1:${servers[1]?.port}/healthz?full`);
    expect(((await health.json()) as { jobs: unknown[] }).jobs.length).toBeGreaterThanOrEqual(3);
  });
});
