import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from '../../../scripts/jest/until';
import { connectPostgres, type Database } from '../../src/platform/db/database';
import { ask, type Fleet, restartInTurn, servedBy, startFleet, startLoad } from '../support/fleet';
import { nginx } from '../support/nginx';
import { createDatabase } from '../support/postgres';
import { kinds } from '../support/test-app';
import { times } from '../support/times';

if (!nginx) console.warn('\nnginx was not found (NGINX_PATH, /usr/sbin): the test of servers behind it is skipped.');
const together = kinds.includes('postgres') && nginx ? describe : describe.skip;
const count = process.env.TEST_FULL ? 4 : 2;

together(`${count} servers on one PostgreSQL and one release store behind nginx`, () => {
  const phone = '13711112222';
  let fleet: Fleet;
  let db: Database;

  beforeAll(async () => {
    const databaseUrl = await createDatabase(`fleet_${process.pid}`);
    fleet = await startFleet(count, databaseUrl);
    db = await connectPostgres(databaseUrl, { max: 2 });
  }, 600_000);
  afterAll(async () => {
    await fleet?.stop();
    await db?.close();
  });

  const call = async (
    url: string,
    body?: object,
    key = `key-${Math.random()}`.slice(0, 30),
    as = fleet.person.token,
  ) => {
    const response = await fetch(`${fleet.front.url}/api/front/${url}`, {
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

  it('answer one idempotency key once', async () => {
    const body = { goods_id: fleet.goods.card.id, spec_id: fleet.goods.card.spec, quantity: 1 };
    const { price_version } = (await call('order/preview', body)).data;
    const created = await times(16, () => call('order/create', { ...body, price_version }, 'one-key-only'));
    const numbers = new Set(created.filter((one) => one.code === 200).map((one) => one.data.order_no));
    expect(numbers.size).toBe(1);
    expect(created.every((one) => one.code === 200 || one.code === 40901)).toBe(true);
    expect((await db.one<{ n: number }>('select count(*) as n from orders')).n).toBe(1);
    // It shows something only when all of them were asked.
    for (const server of fleet.servers) expect(await servedBy(server, '/order/create')).toBeGreaterThan(0);
    const [order_no] = numbers;
    const paid = await times(20, () => call('payment/balance', { order_no }));
    expect(paid.map((one) => [one.code, one.data.balance])).toEqual(Array(20).fill([200, '190.00']));
  });

  it('count limits together, by the address that nginx names', async () => {
    const sent = await times(6, () => call('app/send_code', { phone }, undefined, ''));
    expect(sent.filter((one) => one.code === 200)).toHaveLength(1);
    const guesses = await times(12, () =>
      call(
        'app/login',
        { phone: fleet.person.phone, login_type: 'password', password: 'wrong-password' },
        undefined,
        '',
      ),
    );
    expect(guesses.filter((one) => one.code === 41001)).toHaveLength(5);
    expect(guesses.filter((one) => one.code === 42901)).toHaveLength(7);
    const [row] = await db.rows<{ address: string }>('select address from code_sends');
    expect(row?.address).toBe('127.0.0.1');
  });

  it('go on without the one that is killed, and with it again when it is back', async () => {
    await fleet.servers[0]?.kill();
    const answers = await times(20, () => call('user/info'));
    expect(answers.map((one) => one.code)).toEqual(Array(20).fill(200));
    await fleet.servers[0]?.start();
    expect((await call('user/info')).code).toBe(200);
  });

  it('are restarted in turn under load without one failed request', async () => {
    const load = startLoad(fleet, 6);
    const { codes, long } = await restartInTurn(fleet);
    const { requests, failures, documents, rendered } = await load.stop();
    expect([failures, failures.length > 0 && fleet.front.errors()]).toEqual([[], false]);
    expect(codes).toEqual(Array(count).fill(0));
    expect(long.map(({ status, text }) => [status, JSON.parse(text).code])).toEqual(Array(count).fill([200, 200]));
    expect(requests).toBeGreaterThan(100);
    expect(rendered).toBeGreaterThan(documents / 2);
  }, 600_000);

  it('end a session everywhere', async () => {
    expect((await call('app/logout', {})).code).toBe(200);
    expect((await times(6, () => call('user/info'))).map((one) => one.code)).toEqual(Array(6).fill(401));
  });

  it('are not ready while they drain, answer meanwhile and on a connection taken before the port closed, and end each connection with its response', async () => {
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
    const taken = connect(server.port, '127.0.0.1');
    await once(taken, 'connect');
    await until('the port to close', async () => !(await isOpen(server.port)));
    taken.end('GET /livez HTTP/1.1\r\nhost: shop\r\n\r\n');
    const [answer] = (await once(taken, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await stopped).toBe(0);
  });
});

/** Whether somebody listens there. */
async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return outcome;
}
