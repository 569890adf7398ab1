import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '../../../scripts/jest/until';
import { openContext } from '../../src/start';
import { fillShop, PASSWORD, type ShopGoods, type Shopper } from '../support/fill-shop';
import { type PostgresServer, startPostgres } from '../support/postgres';
import { ShopProcess } from '../support/shop-process';
import { kinds } from '../support/test-app';

// The test kills its database, so it needs a separate one.
const onPostgres = kinds.includes('postgres') ? describe : describe.skip;

onPostgres('a running server', () => {
  let postgres: PostgresServer;
  let folder: string;
  let server: ShopProcess;
  let goods: ShopGoods;
  let user: Shopper;

  beforeAll(async () => {
    postgres = (await startPostgres({ durable: true })) as PostgresServer;
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-operations-'));
    const databaseUrl = postgres.url('postgres');
    const context = await openContext({ dataDir: folder, databaseUrl, env: {}, seed: false });
    const filled = await fillShop(context);
    goods = filled.goods;
    user = filled.users[0] as Shopper;
    await context.db.close();
    server = await ShopProcess.start({ DATA_DIR: folder, DATABASE_URL: databaseUrl, LOG: 'on' });
  }, 600_000);
  afterAll(async () => {
    await server?.kill();
    await postgres?.stop();
  });

  const call = async (url: string, body?: object, token = user.token, key = `key-${Math.random()}`.slice(0, 30)) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${url.startsWith('/') ? url : `/api/front/${url}`}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        'idempotency-key': key,
      },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  };
  const buy = async () => {
    const body = { goods_id: goods.card.id, spec_id: goods.card.spec, quantity: 1 };
    const { price_version } = (await call('order/preview', body)).body.data;
    return (await call('order/create', { ...body, price_version })).body.data.order_no as string;
  };

  it('a server logs one line per request with id, user, code and time, and no secret', async () => {
    const phone = '13711113333';
    const order_no = await buy();
    await call('payment/balance', { order_no });
    const cards = (await call('order/cards', { order_no, password: PASSWORD })).body.data.cards;
    await call('app/send_code', { phone }, '');
    const [{ code }] = JSON.parse((await call(`/dev/outbox.json?phone=${phone}`)).text);
    const login = (await call('app/login', { phone, login_type: 'verify', verify: code }, '')).body.data;
    await call('app/login', { phone, login_type: 'password', password: 'another-secret' }, '');
    await call(`payment/status?payment_no=SECRETNUMBER1234&token=${user.token}`);
    await call('app/wechatAuthorize?code=a-secret-code', undefined, '');
    await call('payment/callback/sandbox', { sign: 'a-forged-sign', payment_no: 'X', amount: '1.00' }, '');
    await call('/nowhere/a-secret-path');
    await until('the line of the log', () => server.log.includes('"status":404'));
    const lines = server.log
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const requests = lines.filter((line) => line.method);
    const created = requests.filter((line) => line.route === '/api/front/order/create');
    expect(created).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        method: 'POST',
        status: 200,
        code: 200,
        user: user.id,
        address: expect.stringMatching(/127\.0\.0\.1$/),
        ms: expect.any(Number),
      }),
    ]);
    expect(lines.filter((line) => line.action === 'cards.reveal')).toEqual([
      expect.objectContaining({
        msg: 'security event',
        audit: expect.any(Number),
        actor: 'user',
        user: user.id,
        network: '127.0.0.1/32',
        session: expect.stringMatching(/^[0-9a-f]{16}$/),
      }),
    ]);
    expect(requests.find((line) => line.route === '/api/front/payment/status')).toMatchObject({ code: 43404 });
    const secrets = [
      user.token,
      login.access_token,
      PASSWORD,
      'another-secret',
      phone,
      `"${code}"`,
      cards[0].card_no,
      order_no,
      'SECRETNUMBER',
      'a-secret-code',
      'a-forged-sign',
      'a-secret-path',
      fs.readFileSync(path.join(folder, 'app-secret'), 'utf8'),
      fs.readFileSync(path.join(folder, 'card-key'), 'utf8'),
    ];
    for (const secret of secrets) expect(server.log).not.toContain(secret);
    const metrics = (await call('/metrics')).text;
    expect(metrics).toContain('route="/api/front/order/create",status="200",code="200"} 1');
    for (const secret of secrets) expect(metrics).not.toContain(secret);
  });

  it('a server is alive but not ready while PostgreSQL is down, and serves again afterwards', async () => {
    const busy = Promise.allSettled(Array.from({ length: 30 }, () => call('goods/list')));
    await postgres.kill();
    await busy;
    expect((await call('/livez')).status).toBe(200);
    expect((await call('/healthz', undefined, '')).status).toBe(503);
    // A cached response is valid for a tenth of a second (docs/performance.md); after that the database must be queried.
    let list = await call('goods/list', undefined, '');
    while (list.status === 200) list = await call('goods/list', undefined, '');
    expect(list).toMatchObject({ status: 503, body: { code: 50301, data: null } });
    await postgres.restart();
    expect((await call('/healthz', undefined, '')).status).toBe(200);
    expect((await call('goods/list')).body.code).toBe(200);
  });

  it('a server reports in time that PostgreSQL hangs, and serves again when it continues', async () => {
    expect((await call('goods/list', undefined, '')).status).toBe(200);
    const goOn = postgres.freeze();
    const startedAt = performance.now();
    const request = async (): ReturnType<typeof call> => {
      const answer = await call('goods/list', undefined, '');
      return answer.status === 200 ? request() : answer;
    };
    const list = request();
    expect((await call('/healthz', undefined, '')).status).toBe(503);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    expect(await list).toMatchObject({ status: 503, body: { code: 50301 } });
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    goOn();
    expect((await call('/healthz', undefined, '')).status).toBe(200);
    expect((await call('goods/list', undefined, '')).status).toBe(200);
  });
});
