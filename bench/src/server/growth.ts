import type { OrderExportQuery } from '@shop/backoffice/orders/list.schemas';
import { exportOrders, listOrders } from '@shop/backoffice/orders/list.service';
import { connectPostgres, type Database } from '../../../server/src/platform/db/database';
import { longestHold } from '../../../server/test/support/longest-hold';
import { quantile, timeOf } from '../measure/statistics';
import type { Rig } from './shops';

const ORDERS = 1_000_000;
const SIZE = { goods: 200, cardGoods: 120, cardsPerSpec: 1, users: 20_000 };
const RUNS = 9;
const GOAL_MS = 50;
const GOAL_MB = 100;
const view = { zone: 'Asia/Shanghai', locale: 'en' } as const;
/** The last tenth of the orders, and the last days, whose export is not counted. */
const EXPORTED = '2026-10-21';
const WARM_UP = '2026-11-25';

/**
 * Orders of 400 days. Each kind of filter has values that most orders have, values that few have, and a supplier whose orders are the
 * oldest ones.
 */
const steps = [
  `insert into levels (key, name_zh, name_en, rank) values ('gold', '金', 'Gold', 1), ('new', '新', 'New', 2)`,
  `insert into coupons (key, name_zh, name_en, coupon_type, expire_type, apply_range)
   select k, k, k, 10, 10, 10 from unnest(array['often', 'seldom']) k`,
  'set session_replication_role = replica',
  `insert into orders (order_no, user_id, goods_id, spec_id, quantity, currency, unit_price, original_amount, total_amount, recharge_type,
                       stock_type, status, delivery_status, snapshot, pay_method, refunded_amount, refunded_quantity, created_at, expire_at,
                       paid_at, finished_at, closed_at)
   select 'G' || lpad(n::text, 11, '0'), 1 + n % ${SIZE.users}, s.goods_id, s.id, 1, case when n % 33 = 0 then 'USD' else 'CNY' end,
          amount, amount, amount, kind, case when n < 20000 then 'fulu' when kind = 2 then '91' else 'stock' end, status,
          case when status = 10 then 0 when status = 12 then 10 else 20 end,
          jsonb_build_object('name', '{"zh-CN": "游戏点卡", "en": "Game card"}'::jsonb, 'image', '/media/goods-1.webp',
            'face_value', '{"zh-CN": "100 元", "en": "CNY 100"}'::jsonb, 'price', jsonb_build_object('list_amount', amount, 'parts',
              case when n % 10 = 0 or n = 7 then jsonb_build_array(jsonb_build_object('kind', 'level', 'level', case when n = 7 then 2 else 1 end,
                'name', '{"zh-CN": "金", "en": "Gold"}'::jsonb, 'amount', 5)) else '[]' end)),
          case when status = 10 then null else (array['balance', 'alipay', 'wechat', 'balance'])[1 + n % 4] end,
          case when status = 60 then amount else 0 end, case when status = 60 then 1 else 0 end, at, at,
          case when status <> 10 then at end, case when status in (30, 60) then at end, case when status = 10 and n % 2000 > 1 then at end
     from (select n, timestamptz '2026-11-29' - (${ORDERS} - n) * interval '34 seconds' as at,
                  case when n % 20 = 1 then 10 when n % 25 = 2 then 60 when n % 5000 = 3 then 12 else 30 end as status,
                  case when n % 10 < 6 then 1 when n % 10 < 9 then 2 when n % 1000 = 9 then 4 else 3 end as kind,
                  100 + n::bigint * 7919 % 20000 + case when n % 50000 = 4 then 1000000 else 0 end as amount,
                  (1 + power(n::bigint * 104729 % 1000 / 1000.0, 2) * ${SIZE.goods * 6 - 1})::bigint as spec
             from generate_series(1, ${ORDERS}) n) d join goods_specs s on s.id = d.spec
    order by n`,
  `update orders set pay_method = 'stripe' where id % 40000 = 5`,
  `insert into user_coupons (user_id, coupon_id, start_time, end_time, use_status, order_id, invitee_id)
   select user_id, case when id % 20000 = 0 then 2 else 1 end, now(), now(), 2, id, id from orders where id % 20 = 0 order by id`,
  'set session_replication_role = origin',
  'vacuum analyze orders',
  'vacuum analyze user_coupons',
];

const values = {
  sort: ['oldest'],
  goods: ['g1', 'g199'],
  state: ['unpaid', 'closed', 'paid', 'delivered', 'refunded'],
  delivery: ['none', 'waiting', 'delivered'],
  kind: ['card', 'direct', 'proxy', 'manual'],
  method: ['balance', 'stripe', 'none'],
  currency: ['CNY', 'USD'],
  supplier: ['stock', 'fulu'],
  coupon: ['often', 'seldom'],
  level: ['gold', 'new'],
  to: ['2026-06-30'],
};
/** As the API takes them. */
const filters = [
  '',
  ...Object.entries(values).flatMap(([name, all]) => all.map((value) => `${name}=${value}`)),
  'goods=g1&value=s1',
  'from=2026-01-05&to=2026-01-05',
  'currency=CNY&amount_from=10',
  'currency=CNY&amount_from=5000',
  'currency=CNY&sort=highest',
  'currency=CNY&sort=lowest',
  'state=refunded&supplier=fulu&method=alipay',
  'goods=g1&state=paid&from=2026-11-28&to=2026-11-28',
];

export async function measureGrowth(rig: Rig): Promise<string> {
  const db = await connectPostgres(await rig.newShop(SIZE));
  for (const step of steps) await db.script(step);
  const rows: string[] = [];
  for (const filter of filters) {
    const query = Object.fromEntries(new URLSearchParams(filter));
    const times: number[] = [];
    while (times.length < RUNS) times.push(await timeOf(listOrders(db, query, view)));
    rows.push(`| ${filter || 'none'} | ${times[0]?.toFixed(0)} | ${quantile(times, 0.5).toFixed(1)} |`);
  }
  const files: string[] = [];
  for (const format of ['csv', 'xlsx'] as const) {
    await exportRow(db, { from: WARM_UP, format });
    files.push(await exportRow(db, { from: EXPORTED, format }));
  }
  await db.close();
  return `**Orders of the staff console**, ${ORDERS.toLocaleString('en')} of them: all statements of the first page of each filter (goal ${GOAL_MS} ms).

| filter | first ms | p50 ms |
| --- | --- | --- |
${rows.join('\n')}

Exports: the memory that the process takes in addition, and the longest time for which its thread answers nothing else (goals ${GOAL_MB} MB and
${GOAL_MS} ms).

| file | orders | seconds | MB sent | MB of memory | hold ms |
| --- | --- | --- | --- | --- | --- |
${files.join('\n')}`;
}

/** A client that reads as fast as the export writes. */
async function exportRow(db: Database, query: OrderExportQuery): Promise<string> {
  const before = process.memoryUsage.rss();
  const started = performance.now();
  let [bytes, peak] = [0, before];
  const { result: orders, longest } = await longestHold(async () => {
    const { total, file } = await exportOrders(db, query, view, async () => {});
    for await (const part of file) {
      bytes += Buffer.byteLength(part);
      peak = Math.max(peak, process.memoryUsage.rss());
    }
    return total;
  });
  const seconds = (performance.now() - started) / 1000;
  const figures = [seconds, bytes / 1e6, (peak - before) / 1e6, longest].map((figure) => figure.toFixed(0));
  return `| ${[query.format.toUpperCase(), orders.toLocaleString('en'), ...figures].join(' | ')} |`;
}
