import { createHash } from 'node:crypto';
import { connectPostgres } from '../../../server/src/platform/db/database';
import { inProcessShop } from './in-process';
import { closedLoop, type OrderTarget, orderLoop, type Rate } from './load';
import { pgbench } from './pgbench';
import { inlined, recording } from './recorder';
import { type Kind, kinds, type Rig } from './shops';
import { SPECS, tokenOf } from './stock-shop';
import { type RunningSubject, startSubject } from './subjects';

const size = { goods: 500, cardGoods: 40, people: 400 };
/** Sold units are not returned; the faster database sells more of them in the time. */
const cardsPerSpec: Record<Kind, number> = { PostgreSQL: 900, PGlite: 250 };
const CONNECTIONS = [8, 64] as const;
const guest = { currency: 'CNY' };
const buyer = (person: number) => ({ ...guest, authorization: `Bearer ${tokenOf(person)}` });

export interface ThroughputRow {
  call: string;
  database: string;
  connections: number;
  rate: Rate;
  /** Requests a second to those of the bare hello with as many connections. */
  toHello: number;
  /** To pgbench's transactions a second with the same SQL and as many clients; of PGlite to those of PostgreSQL. */
  toPgbench?: number;
}
export interface Throughput {
  rows: ThroughputRow[];
  pgbench: Array<{ sql: string; clients: number; perSecond: number }>;
  /** Hello of the shop's own process, idle and while orders are placed on PGlite. */
  helloUnderOrders: { idle: Rate; underOrders: Rate; ratio: number; ordersPerSecond: number };
}

const EVERY = /./;

/** `only` picks among lines such as "PGlite, full order: create and pay, 8 connections" (and "pgbench, order, 8 clients"). */
export async function measureThroughput(
  rig: Rig,
  seconds: number,
  log: (line: string) => void,
  only = EVERY,
): Promise<Throughput> {
  const rows: ThroughputRow[] = [];
  const hello = new Map<number, number>();
  const bare = await startSubject({ kind: 'hello' });
  for (const connections of CONNECTIONS) {
    const rate = await closedLoop({ subject: bare, path: '/' }, connections, seconds);
    hello.set(connections, rate.perSecond);
    log(`hello, ${connections} connections: ${rate.perSecond.toFixed(0)}, ${rate.cpuMicros.toFixed(0)} µs`);
    rows.push({ call: "Fastify's bare hello", database: '–', connections, rate, toHello: 1 });
  }
  await bare.stop();

  const rates = new Map<string, number>();
  let helloUnderOrders: Throughput['helloUnderOrders'] | undefined;
  for (const kind of kinds) {
    // The expression names a database or none.
    if (only !== EVERY && kinds.some((one) => only.source.includes(one)) && !only.source.includes(kind)) continue;
    const shop = await rig.openShop(kind, { ...size, cardsPerSpec: cardsPerSpec[kind] });
    const orderNo = await placeOne(shop);
    const target = { subject: shop, specs: await specsOf(shop), nextPerson: 10 };
    const etag = (await fetch(`${shop.url}/api/front/goods/list`, { headers: guest })).headers.get('etag') ?? '';
    const reads: Array<[call: string, path: string, headers: Record<string, string>, sql?: string]> = [
      ['list with prices', '/api/front/goods/list', guest, 'list'],
      ['list, 304 to who has it', '/api/front/goods/list', { ...guest, 'if-none-match': etag }],
      ['config', '/api/front/app/config', guest],
      ['detail', '/api/front/goods/info?id=7', guest, 'detail'],
      ['detail, signed in', '/api/front/goods/info?id=7', buyer(1), 'detail'],
      ['order detail', `/api/front/order/info?order_no=${orderNo}`, buyer(1), 'order detail'],
    ];
    for (const connections of CONNECTIONS) {
      if (kind === 'PostgreSQL') {
        for (const [sql, script] of Object.entries(await scripts(rig, shop.name, orderNo))) {
          if (!only.test(`pgbench, ${sql}, ${connections} clients`)) continue;
          const options = { socket: (await rig.postgresServer()).folder, database: shop.name, folder: rig.folder };
          rates.set(`${sql} ${connections}`, await pgbench({ ...options, script, clients: connections, seconds }));
          log(`pgbench, ${sql}, ${connections} clients: ${rates.get(`${sql} ${connections}`)?.toFixed(0)}`);
        }
      }
      const add = async (call: string, measure: () => Promise<Rate>, sql?: string) => {
        if (!only.test(`${kind}, ${call}, ${connections} connections`)) return;
        const rate = await measure();
        const pg = sql && rates.get(`${sql} ${connections}`);
        const toHello = rate.perSecond / (hello.get(connections) as number);
        rows.push({
          call,
          database: kind,
          connections,
          rate,
          toHello,
          ...(pg ? { toPgbench: rate.perSecond / pg } : {}),
        });
        log(
          `${kind}, ${call}, ${connections} connections: ${rate.perSecond.toFixed(0)}, ${rate.cpuMicros.toFixed(0)} µs, ${rate.errors} errors${rate.refused ? ` ${JSON.stringify(rate.refused)}` : ''}`,
        );
      };
      for (const [call, path, headers, sql] of reads) {
        await add(call, () => closedLoop({ subject: shop, path, headers }, connections, seconds), sql);
      }
      await add('full order: create and pay', () => orderLoop(target, connections, seconds), 'order');
      if (kind === 'PGlite' && connections === 8 && only.test('PGlite, hello under orders, 8 connections')) {
        const one = { subject: shop, path: '/hello' };
        const idle = await closedLoop(one, 8, seconds);
        const [orders, underOrders] = await Promise.all([orderLoop(target, 8, seconds), closedLoop(one, 8, seconds)]);
        const ratio = underOrders.perSecond / idle.perSecond;
        log(`hello beside ${orders.perSecond.toFixed(0)} orders: ${ratio.toFixed(2)}`);
        helloUnderOrders = { idle, underOrders, ratio, ordersPerSecond: orders.perSecond };
      }
    }
    await shop.stop();
  }
  return {
    rows,
    pgbench: [...rates].map(([name, perSecond]) => {
      const [, sql = '', clients] = /^(.*) (\d+)$/.exec(name) ?? [];
      return { sql, clients: Number(clients), perSecond };
    }),
    helloUnderOrders: helloUnderOrders as Throughput['helloUnderOrders'],
  };
}

/** Price versions from a preview, of every spec that is sold as a code. */
async function specsOf(shop: RunningSubject): Promise<OrderTarget['specs']> {
  const bodies = Array.from({ length: size.cardGoods * SPECS }, (_one, index) => ({
    goods_id: Math.floor(index / SPECS) + 1,
    spec_id: index + 1,
    quantity: 1,
  }));
  const specs: OrderTarget['specs'] = [];
  for (const body of bodies) {
    const { data } = await post(shop, 'order/preview', body);
    specs.push({ goods_id: body.goods_id, spec_id: body.spec_id, price_version: data.price_version as string });
  }
  return specs;
}

async function placeOne(shop: RunningSubject): Promise<string> {
  const body = { goods_id: 1, spec_id: 1, quantity: 1 };
  const { price_version } = (await post(shop, 'order/preview', body)).data;
  const { order_no } = (await post(shop, 'order/create', { ...body, price_version })).data;
  await post(shop, 'payment/balance', { order_no });
  return order_no as string;
}

async function post(shop: RunningSubject, call: string, body: object) {
  const response = await fetch(`${shop.url}/api/front/${call}`, {
    method: 'POST',
    headers: { ...buyer(1), 'content-type': 'application/json', 'idempotency-key': `bench-${Math.random()}` },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { code: number; message: string; data: Record<string, unknown> };
  if (answer.code !== 200) throw new Error(`${call}: ${answer.code} ${answer.message}`);
  return answer;
}

/** What the server asks the database for each call, for pgbench to ask the same. */
async function scripts(rig: Rig, database: string, orderNo: string): Promise<Record<string, string>> {
  const server = await rig.postgresServer();
  const db = await connectPostgres(server.url(database), { max: 2 });
  const recorder = recording(db);
  const app = await inProcessShop(recorder.db, rig.newFolder());
  const texts: Record<string, string> = {};
  for (const [name, url, headers] of [
    ['list', '/api/front/goods/list', guest],
    ['detail', '/api/front/goods/info?id=7', guest],
    ['order detail', `/api/front/order/info?order_no=${orderNo}`, buyer(1)],
  ] as const) {
    recorder.statements.length = 0;
    await app.inject({ url, headers });
    const asked = recorder.statements.filter(({ text }) => !text.includes('pg_current_snapshot'));
    texts[name] = asked.map((one) => `${inlined(one).replace(/\s+/g, ' ')};`).join('\n');
  }
  await app.close();
  await db.script(`
    create table if not exists measured_orders as
      select s.id, s.goods_id, p.price, md5(order_terms(s.goods_id, s.id, 'CNY', false)::text) as terms,
             jsonb_build_object('name', jsonb_build_object('zh-CN', g.name_zh, 'en', g.name_en), 'image', g.image,
                                'face_value', jsonb_build_object('zh-CN', s.name_zh, 'en', s.name_en)) as snapshot
        from goods_specs s join goods g on g.id = s.goods_id join prices p on p.spec_id = s.id and p.currency = 'CNY'
       where g.recharge_type = 1;
    create unique index if not exists measured_orders_id on measured_orders (id)`);
  await db.close();
  const requestId = createHash('sha256').update(database).digest('hex').slice(0, 32);
  const cipher = `'\\x${'00'.repeat(90)}'::bytea`;
  texts.order = `\\set spec random(1, ${size.cardGoods * SPECS})
\\set number random(1, 9000000000000000000)
\\set person :client_id + 100
select order_create(p_route => 'bench', p_key => 'c' || (:number)::text, p_body_hash => '\\x00', p_request_id => '${requestId}', p_locale => 'zh-CN',
  p_user => (:person)::bigint, p_vip => false, p_network => '127.0.0.1/32', p_order_no => 'B' || (:number)::text, p_terms => terms,
  p_goods => goods_id, p_spec => id, p_custom_value => null, p_quantity => 1, p_currency => 'CNY', p_unit_price => price,
  p_original_amount => price, p_coupon_discount => 0, p_total_amount => price, p_user_coupon => null, p_snapshot => snapshot,
  p_fields_masked => '[]', p_fields_cipher => ${cipher}, p_fields_key => 'local', p_expire_seconds => 900, p_max_unpaid => 5,
  p_max_held => 20, p_max_closed => 20) from measured_orders where id = (:spec)::bigint;
select order_pay('bench', 'p' || (:number)::text, '\\x00', (:person)::bigint, 'B' || (:number)::text,
  (select token_hash from sessions where user_id = (:person)::bigint limit 1), '{"CNY": 100000}', 'zh-CN', 'x');
`;
  return texts;
}
