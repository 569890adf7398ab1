import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connectPostgres, type Database } from '../../src/platform/db/database';
import { openContext } from '../../src/start';
import { fillShop, type ShopGoods, type Shopper } from '../support/fill-shop';
import { type Front, nginx, startNginx } from '../support/nginx';
import { createDatabase } from '../support/postgres';
import { ShopProcess } from '../support/shop-process';
import { kinds } from '../support/test-app';
import { times } from '../support/times';

if (!nginx)
  console.warn('\nnginx was not found (NGINX_PATH, /usr/sbin): the test of two processes behind it is skipped.');
const together = kinds.includes('postgres') && nginx ? describe : describe.skip;

together('two server processes on one PostgreSQL behind nginx', () => {
  const phone = '13711112222';
  let servers: ShopProcess[] = [];
  let front: Front;
  let folder: string;
  let db: Database;
  let goods: ShopGoods;
  let person: Shopper;

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-two-'));
    const databaseUrl = await createDatabase(`two_${process.pid}`);
    const context = await openContext({ dataDir: folder, databaseUrl, env: {}, seed: false });
    const filled = await fillShop(context, { balance: 5000 });
    goods = filled.goods;
    person = filled.persons[0] as Shopper;
    await context.db.close();
    db = await connectPostgres(databaseUrl, { max: 2 });
    const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl, TRUST_PROXY: 'loopback' };
    servers = await Promise.all([ShopProcess.start(env), ShopProcess.start(env)]);
    front = await startNginx(servers.map((server) => server.port));
  }, 600_000);
  afterAll(async () => {
    await front?.stop();
    await Promise.all(servers.map((server) => server.kill()));
    await db?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const call = async (url: string, body?: object, key = `key-${Math.random()}`.slice(0, 30), as = person.token) => {
    const response = await fetch(`${front.url}/api/front/${url}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(as ? { authorization: `Bearer ${as}` } : {}),
        'idempotency-key': key,
        currency: 'CNY',
      },
      body: body && JSON.stringify(body),
    });
    return (await response.json()) as { code: number; data: Record<string, string> };
  };
  const requestsOf = async (server: ShopProcess, route: string) => {
    const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith('shop_requests_total') && line.includes(route));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };

  it('answer one idempotency key once', async () => {
    const body = { goods_id: goods.card.id, spec_id: goods.card.spec, quantity: 1 };
    const { price_version } = (await call('order/preview', body)).data;
    const created = await times(16, () => call('order/create', { ...body, price_version }, 'one-key-only'));
    const numbers = new Set(created.filter((one) => one.code === 200).map((one) => one.data.order_no));
    expect(numbers.size).toBe(1);
    expect(created.every((one) => one.code === 200 || one.code === 40901)).toBe(true);
    expect((await db.one<{ n: number }>('select count(*) as n from orders')).n).toBe(1);
    // It shows something only when both of them were asked.
    for (const server of servers) expect(await requestsOf(server, '/order/create')).toBeGreaterThan(0);
    const [order_no] = numbers;
    const paid = await times(20, () => call('payment/balance', { order_no }));
    expect(paid.map((one) => [one.code, one.data.balance])).toEqual(Array(20).fill([200, '40.00']));
  });

  it('count limits together, by the address that nginx names', async () => {
    const sent = await times(6, () => call('app/send_code', { phone }, undefined, ''));
    expect(sent.filter((one) => one.code === 200)).toHaveLength(1);
    const guesses = await times(12, () =>
      call('app/login', { phone: person.phone, login_type: 'password', password: 'wrong-password' }, undefined, ''),
    );
    expect(guesses.filter((one) => one.code === 41001)).toHaveLength(5);
    expect(guesses.filter((one) => one.code === 42901)).toHaveLength(7);
    const [row] = await db.rows<{ address: string }>('select address from code_sends');
    expect(row?.address).toBe('127.0.0.1');
  });

  it('go on without the one that is killed, and with it again when it is back', async () => {
    await servers[0]?.kill();
    const answers = await times(20, () => call('user/info'));
    expect(answers.map((one) => one.code)).toEqual(Array(20).fill(200));
    await servers[0]?.start();
    expect((await call('user/info')).code).toBe(200);
  });

  it('end a session everywhere', async () => {
    expect((await call('app/logout', {})).code).toBe(200);
    expect((await times(6, () => call('user/info'))).map((one) => one.code)).toEqual(Array(6).fill(401));
  });
});
