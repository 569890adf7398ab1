import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { nginx } from '@platform/pages/testing/nginx';
import { until } from '../../../scripts/jest/until';
import { connectPostgres, type Database } from '../../src/platform/db/database';
import { ask, type Fleet, requestsOf, restartInTurn, startFleet, startLoad } from '../support/fleet';
import { createDatabase } from '../support/postgres';
import { isOpen } from '../support/shop-process';
import { kinds } from '../support/test-app';
import { times } from '../support/times';

if (!nginx)
  console.warn('\nnginx was not found (NGINX_PATH, /usr/sbin): the test of several servers behind it is skipped.');
const together = kinds.includes('postgres') && nginx ? describe : describe.skip;
const count = process.env.TEST_FULL ? 4 : 2;

together(`${count} servers on one PostgreSQL and one release store behind nginx`, () => {
  const place = mkdtempSync(path.join(os.tmpdir(), 'shop-fleet-'));
  let fleet: Fleet;
  let db: Database;

  beforeAll(async () => {
    const databaseUrl = await createDatabase(`fleet_${process.pid}`);
    fleet = await startFleet(count, databaseUrl, path.join(place, 'store'));
    db = await connectPostgres(databaseUrl, { max: 2 });
  }, 600_000);
  afterAll(async () => {
    await db?.close();
    await fleet?.stop();
  });

  const call = async (url: string, body?: object, key?: string, token?: string) => {
    const { text } = await ask(`${fleet.front.url}/api/front/${url}`, { body, key, token });
    return JSON.parse(text) as { code: number; data: Record<string, string> };
  };
  const callAsShopper = (url: string, body?: object, key?: string) => call(url, body, key, fleet.shopper.token);

  it('several processes execute a call with one idempotency key once', async () => {
    const { card } = fleet.goods;
    const body = { goods_id: card.id, spec_id: card.spec, quantity: 1 };
    const { price_version } = (await callAsShopper('order/preview', body)).data;
    const created = await times(16, () => callAsShopper('order/create', { ...body, price_version }, 'one-key-only'));
    const numbers = new Set(created.filter((answer) => answer.code === 200).map((answer) => answer.data.order_no));
    expect(numbers.size).toBe(1);
    expect(created.every((answer) => answer.code === 200 || answer.code === 40901)).toBe(true);
    expect((await db.one<{ n: number }>('select count(*) as n from orders')).n).toBe(1);
    for (const server of fleet.servers) expect(await requestsOf(server, '/order/create')).toBeGreaterThan(0);
    const [order_no] = numbers;
    const paid = await times(20, (index) => callAsShopper('payment/balance', { order_no }, `payment-${index}`));
    expect(paid.map((answer) => [answer.code, answer.data.balance])).toEqual(Array(20).fill([200, '190.00']));
  });

  it('several processes count limits together, by the address from nginx', async () => {
    const sent = await times(6, () => call('app/send_code', { phone: '13711112222' }));
    expect(sent.filter((answer) => answer.code === 200)).toHaveLength(1);
    const wrong = { phone: fleet.shopper.phone, login_type: 'password', password: 'wrong-password' };
    const guesses = await times(12, () => call('app/login', wrong));
    expect(guesses.filter((answer) => answer.code === 41001)).toHaveLength(5);
    expect(guesses.filter((answer) => answer.code === 42901)).toHaveLength(7);
    const [row] = await db.rows<{ address: string }>('select address from code_sends');
    expect(row?.address).toBe('127.0.0.1');
  });

  it('the other processes continue when one is killed, and the restarted one joins again', async () => {
    await fleet.servers[0]?.kill();
    const answers = await times(20, () => callAsShopper('user/info'));
    expect(answers.map((answer) => answer.code)).toEqual(Array(20).fill(200));
    await fleet.servers[0]?.start();
    expect((await callAsShopper('user/info')).code).toBe(200);
  });

  it('processes are restarted in turn under load without a failed request', async () => {
    const load = startLoad(fleet, 6);
    const { codes, long } = await restartInTurn(fleet);
    const { requests, failures, documents, rendered } = await load.stop();
    expect([failures, failures.length > 0 && fleet.front.errors()]).toEqual([[], false]);
    expect(codes).toEqual(Array(count).fill(0));
    expect(long.map(({ status, text }) => [status, JSON.parse(text).code])).toEqual(Array(count).fill([200, 200]));
    expect(requests).toBeGreaterThan(100);
    expect(rendered).toBeGreaterThan(documents / 2);
  }, 600_000);

  it('draining processes are not ready, serve connections accepted before the port closed, and end each with its response', async () => {
    const [server] = fleet.servers;
    if (!server) throw new Error('no server');
    const url = `http://127.0.0.1:${server.port}`;
    const stopped = server.stop();
    let ready = await ask(`${url}/healthz`);
    while (ready.status === 200) ready = await ask(`${url}/healthz`);
    expect([ready.status, JSON.parse(ready.text)]).toEqual([503, { status: 'unavailable', part: 'stopping' }]);
    const list = await ask(`${url}/api/front/goods/list`);
    expect([list.status, list.headers.connection]).toEqual([200, 'close']);
    expect((await ask(`${url}/livez`)).status).toBe(200);
    const accepted = connect(server.port, '127.0.0.1');
    await once(accepted, 'connect');
    await until('the port to close', async () => !(await isOpen(server.port)));
    accepted.end('GET /livez HTTP/1.1\r\nhost: shop\r\n\r\n');
    const [answer] = (await once(accepted, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await stopped).toBe(0);
  });
});
