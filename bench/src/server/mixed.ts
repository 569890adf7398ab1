import autocannon from 'autocannon';
import { previewsOf } from './load';
import { type Rig, SPECS, tokenOf } from './shops';

const size = { goods: 500, cardGoods: 40, cardsPerSpec: 120, users: 1000 };
const PER_SECOND = 2000;
const CONNECTIONS = 64;
const pick = (count: number) => Math.floor(Math.random() * count);

type Call = [path: () => string, by?: 'person' | 'order'];

/** Shares in percent: of 2,000 requests a second, 100 place an order. */
const shares: ReadonlyArray<[share: number, ...call: Call]> = [
  [30, () => `goods/list?page=${1 + pick(10)}`],
  [10, () => `goods/list?category_id=${1 + pick(10)}&sort=price_asc`],
  [20, () => `goods/info?id=${1 + pick(size.goods)}`],
  [5, () => `goods/list?keyword=${encodeURIComponent(`游戏${pick(500)}`)}`],
  [5, () => 'app/config'],
  [5, () => 'customModule/list'],
  [5, () => 'user/info', 'person'],
  [10, () => 'order/list', 'person'],
  [5, () => 'order/preview', 'order'],
  [5, () => 'order/create', 'order'],
];
const mix = shares.flatMap(([share, ...call]) => Array<Call>(share).fill(call));

export async function measureMixed(rig: Rig, seconds: number): Promise<string> {
  const shop = await rig.openShop(size);
  const orders = await previewsOf(shop.url, size.cardGoods * SPECS);
  let turn = 0;
  let refused = 0;
  /** The order is fixed, so that every run sends the same requests. */
  const next = (): autocannon.Request => {
    turn += 1;
    const [path, by] = mix[(turn * 37) % mix.length] as Call;
    const headers = {
      currency: 'CNY',
      ...(by && { authorization: `Bearer ${tokenOf(2 + (turn % (size.users - 2)))}` }),
      ...(by === 'order' && { 'content-type': 'application/json', 'idempotency-key': `mixed-${Math.random()}` }),
    };
    const body = by === 'order' ? JSON.stringify(orders[pick(orders.length)]) : undefined;
    return { method: body ? 'POST' : 'GET', path: `/api/front/${path()}`, headers, body };
  };
  const run = (overallRate: number, duration: number) =>
    autocannon({
      url: shop.url,
      connections: CONNECTIONS,
      overallRate,
      duration,
      requests: [
        {
          setupRequest: next,
          onResponse: (_status, body) => {
            if (!/^\{"code" ?: ?200/.test(body)) refused += 1;
          },
        },
      ],
    });
  await run(PER_SECOND / 2, 3);
  refused = 0;
  const before = (await shop.usage()).rss;
  // A user has at most five unpaid orders, so a thousand users can place a hundred a second for at most half a minute.
  const { latency, requests, errors } = await run(PER_SECOND, Math.min(seconds * 3, 30));
  const after = (await shop.usage()).rss;
  await shop.stop();
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const times = [latency.p50, latency.p99, latency.p99_9].map((ms) => ms.toFixed(1));
  return `**A mix of calls at a fixed rate** on PostgreSQL. Each call is timed from the moment when it was due.

| due/s | answered/s | p50 ms | p99 ms | p99.9 ms | errors | memory before | after |
| --- | --- | --- | --- | --- | --- | --- | --- |
| ${whole(PER_SECOND)} | ${whole(requests.average)} | ${times.join(' | ')} | ${errors + refused} | ${megabytes(before)} | ${megabytes(after)} |`;
}
