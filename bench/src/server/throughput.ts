import { buyer, post, previewsOf } from './calls';
import { closedLoop, orderLoop, type Rate } from './load';
import { type Kind, kinds, type Rig } from './shops';
import { SPECS } from './stock-shop';
import { startSubject } from './subjects';

const size = { goods: 500, cardGoods: 40, people: 400 };
/** Sold units are not returned; the faster database sells more of them in the time. */
const cardsPerSpec: Record<Kind, number> = { PostgreSQL: 900, PGlite: 250 };
const CONNECTIONS = [8, 64] as const;
const guest = { currency: 'CNY' };

export interface ThroughputRow {
  call: string;
  database: string;
  connections: number;
  rate: Rate;
  /** Requests a second to those of the bare hello with as many connections. */
  toHello: number;
}
export interface Throughput {
  rows: ThroughputRow[];
  /** Hello of the shop's own process, idle and while orders are placed on PGlite. */
  helloUnderOrders?: { idle: Rate; underOrders: Rate; ratio: number; ordersPerSecond: number };
}

export async function measureThroughput(rig: Rig, seconds: number, log: (line: string) => void): Promise<Throughput> {
  const result: Throughput = { rows: [] };
  const hello = new Map<number, number>();
  const add = (call: string, database: string, connections: number, rate: Rate) => {
    const { perSecond, cpuMicros, errors, refused } = rate;
    const toHello = perSecond / (hello.get(connections) ?? perSecond);
    result.rows.push({ call, database, connections, rate, toHello });
    log(
      `${database}, ${call}, ${connections} connections: ${perSecond.toFixed(0)}, ${cpuMicros.toFixed(0)} µs, ${errors} errors${refused ? ` ${JSON.stringify(refused)}` : ''}`,
    );
  };
  const bare = await startSubject({ kind: 'hello' });
  for (const connections of CONNECTIONS) {
    const rate = await closedLoop({ subject: bare, path: '/' }, connections, seconds);
    hello.set(connections, rate.perSecond);
    add("Fastify's bare hello", '–', connections, rate);
  }
  await bare.stop();

  for (const kind of kinds) {
    const shop = await rig.openShop(kind, { ...size, cardsPerSpec: cardsPerSpec[kind] });
    const specs = await previewsOf(shop.url, size.cardGoods * SPECS);
    const { order_no } = await post(shop.url, 'order/create', specs[0] as object);
    await post(shop.url, 'payment/balance', { order_no });
    const target = { subject: shop, specs, nextPerson: 10 };
    const etag = (await fetch(`${shop.url}/api/front/goods/list`, { headers: guest })).headers.get('etag') ?? '';
    const reads: Array<[call: string, path: string, headers: Record<string, string>]> = [
      ['list with prices', 'goods/list', guest],
      ['list, 304 to who has it', 'goods/list', { ...guest, 'if-none-match': etag }],
      ['config', 'app/config', guest],
      ['detail', 'goods/info?id=7', guest],
      ['detail, signed in', 'goods/info?id=7', buyer(1)],
      ['order detail', `order/info?order_no=${order_no}`, buyer(1)],
    ];
    for (const connections of CONNECTIONS) {
      for (const [call, path, headers] of reads) {
        const rate = await closedLoop({ subject: shop, path: `/api/front/${path}`, headers }, connections, seconds);
        add(call, kind, connections, rate);
      }
      add('full order: create and pay', kind, connections, await orderLoop(target, connections, seconds));
    }
    if (kind === 'PGlite') {
      const one = { subject: shop, path: '/hello' };
      const idle = await closedLoop(one, 8, seconds);
      const [orders, underOrders] = await Promise.all([orderLoop(target, 8, seconds), closedLoop(one, 8, seconds)]);
      const ratio = underOrders.perSecond / idle.perSecond;
      result.helloUnderOrders = { idle, underOrders, ratio, ordersPerSecond: orders.perSecond };
    }
    await shop.stop();
  }
  return result;
}
