import { buyer, closedLoop, orderLoop, post, previewsOf, type Rate } from './load';
import { type Rig, SPECS } from './shops';
import { startSubject } from './subjects';

/** Sold units are not returned, so there must be enough for every run. */
const size = { goods: 500, cardGoods: 40, cardsPerSpec: 900, users: 400 };
const CONNECTIONS = [8, 64] as const;
const guest = { currency: 'CNY' };

export async function measureThroughput(rig: Rig, seconds: number): Promise<string> {
  const rows: string[] = [];
  let failed = 0;
  const hello = new Map<number, number>();
  const add = (call: string, connections: number, { perSecond, p99, cpuMicros, errors }: Rate) => {
    failed += errors;
    const ratio = perSecond / (hello.get(connections) ?? perSecond);
    const rate = Math.round(perSecond).toLocaleString('en');
    rows.push(
      `| ${call} | ${connections} | ${rate} | ${p99.toFixed(0)} | ${cpuMicros.toFixed(0)} | **${ratio.toFixed(2)}** |`,
    );
    console.error(rows.at(-1));
  };
  const bare = await startSubject();
  for (const connections of CONNECTIONS) {
    const rate = await closedLoop({ url: bare.url, subject: bare }, connections, seconds);
    hello.set(connections, rate.perSecond);
    add("Fastify's bare hello", connections, rate);
  }
  await bare.stop();

  const shop = await rig.openShop(size);
  const specs = await previewsOf(shop.url, size.cardGoods * SPECS);
  const { order_no } = await post(shop.url, 'order/create', specs[0] as object);
  await post(shop.url, 'payment/balance', { order_no });
  const target = { subject: shop, specs, nextUser: 10 };
  const etag = (await fetch(`${shop.url}/api/front/goods/list`, { headers: guest })).headers.get('etag') ?? '';
  const reads: Array<[call: string, path: string, headers: Record<string, string>]> = [
    ['list with prices', 'goods/list', guest],
    ['list, answered with 304', 'goods/list', { ...guest, 'if-none-match': etag }],
    ['config', 'app/config', guest],
    ['detail', 'goods/info?id=7', guest],
    ['detail, signed in', 'goods/info?id=7', buyer(1)],
    ['order detail', `order/info?order_no=${order_no}`, buyer(1)],
  ];
  for (const connections of CONNECTIONS) {
    for (const [call, path, headers] of reads)
      add(
        call,
        connections,
        await closedLoop({ url: `${shop.url}/api/front/${path}`, headers, subject: shop }, connections, seconds),
      );
    add('full order: create and pay', connections, await orderLoop(target, connections, seconds));
  }
  await shop.stop();
  return `**Throughput** on PostgreSQL. Each connection sends its next request when the last one is answered.

| call | connections | a second | p99 ms | CPU µs each | ratio to hello |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

${failed} calls failed.`;
}
