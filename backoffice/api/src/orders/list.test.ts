import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '@shop/server/platform/db/database';
import { Sql } from '@shop/server/platform/db/sql';
import { kinds, onEveryDatabase } from '@shop/server/test/support/test-app';
import { readXlsx } from 'hucre/xlsx';
import { until } from '../../../../scripts/jest/until';
import { fromConsole, lastEntry, type StaffMember, withStaff } from '../testing/staff';
import type { ListedOrder } from './list.schemas';
import { sumOrders } from './list.service';

const COUNT = 450;

onEveryDatabase('all orders at /staff', (testApp) => {
  const ann = withStaff(testApp, 'money');
  const manager = withStaff(testApp, 'manager');
  /** Few times and amounts, so that many orders share them. $1 orders whose numbers begin with $2. */
  const addOrders = (count: number, prefix: string) =>
    testApp().db.run(
      `insert into orders (order_no, user_id, goods_id, spec_id, quantity, currency, unit_price, original_amount, total_amount, recharge_type,
                           stock_type, status, delivery_status, snapshot, pay_method, refunded_amount, created_at, expire_at, paid_at, closed_at)
       select $2 || n, (select min(id) from users where phone is not null), g.id, s.id, 1, case when n % 3 = 0 then 'USD' else 'CNY' end, amount,
              amount, amount, case when g.key = 'custom' then 3 else g.recharge_type end, case when n % 7 = 0 then 'fulu' else g.stock_type end, state,
              case state when 10 then 0 when 12 then 10 when 60 then 10 + n % 2 * 10 else 20 end,
              jsonb_build_object('name', jsonb_build_object('zh-CN', '＝1+1', 'en', '=HYPERLINK("x")'), 'image', '', 'face_value',
                '{"zh-CN": "a", "en": "a,\\"b\\""}'::jsonb, 'price', jsonb_build_object('parts', case when n % 4 = 0
                  then '[{"kind": "step", "from": 2, "amount": 1}, {"kind": "level", "level": 1, "name": {"zh-CN": "金", "en": "Gold"}, "amount": 1}]'::jsonb
                  else '[]'::jsonb end)),
              case when state = 10 then null when n % 2 = 0 then 'alipay' else 'balance' end,
              case state when 60 then amount when 30 then n % 2 else 0 end, timestamptz '2026-03-07T15:59:59Z' + n % 5 * interval '1 second',
              now(), case when state > 10 then now() end, case when n % 20 = 1 then now() end
         from (select n, 100 + n % 6 * 1050 as amount, (array[12, 10, 30, 30, 60])[1 + n % 5] as state, n % 5 as kind from generate_series(1, $1::integer) n) d
         join goods g on g.key = (array['card', 'card', 'direct', 'custom', 'manual'])[1 + kind]
         left join goods_specs s on s.goods_id = g.id and s.key = case when n % 2 = 1 and g.key = 'card' then 'b' else 'a' end`,
      [count, prefix],
    );

  beforeAll(async () => {
    testApp().context.config.timeZone = 'Asia/Shanghai';
    const { id } = await testApp().user();
    await testApp().db.run("insert into levels (key, name_zh, name_en, rank) values ('gold', '金', 'Gold', 1)");
    expect(await testApp().db.one("select id from levels where key = 'gold'")).toEqual({ id: 1 });
    await addOrders(COUNT, 'LIST');
    const coupon = await testApp().addCoupon({ key: 'used' });
    await testApp().db.run(
      `insert into user_coupons (user_id, coupon_id, start_time, end_time, use_status, order_id, invitee_id)
       select $1::bigint, $2::bigint, now(), now(), 2, id, case when n = 1 then $1::bigint end from (select id, row_number() over () as n from orders where refunded_amount = 1 limit 2) o`,
      [id, coupon],
    );
  });

  const query = (filter: object) => new URLSearchParams(filter as Record<string, string>).toString();
  async function allPages(filter: object, between?: () => Promise<unknown>): Promise<string[]> {
    const numbers: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; await between?.()) {
      const answer = await ann.get(`orders?${query({ limit: '80', ...filter, ...(cursor && { cursor }) })}`);
      numbers.push(...answer.data.list.map(({ order_no }: ListedOrder) => order_no));
      cursor = answer.data.next;
    }
    return numbers;
  }

  const ofGoods = (key: string) => `goods_id = (select id from goods where key = '${key}')`;
  const isGold = `snapshot::text like '%Gold%'`;
  const filters: Array<[filter: Record<string, string>, where: string]> = [
    [{}, 'true'],
    [{ goods: 'card' }, ofGoods('card')],
    [{ goods: 'custom' }, ofGoods('custom')],
    [{ goods: 'card', value: 'b' }, `${ofGoods('card')} and spec_id = (select id from goods_specs where key = 'b')`],
    [{ state: 'unpaid' }, 'status = 10 and closed_at is null'],
    [{ state: 'closed' }, 'closed_at is not null'],
    [{ state: 'paid' }, 'status = 12'],
    [{ state: 'delivered', method: 'balance' }, "status = 30 and pay_method = 'balance'"],
    [{ state: 'refunded', delivery: 'delivered' }, 'status = 60 and delivery_status = 20'],
    [{ delivery: 'none' }, 'delivery_status = 0'],
    [{ kind: 'proxy' }, 'recharge_type = 3'],
    [{ kind: 'manual', currency: 'USD' }, "recharge_type = 4 and currency = 'USD'"],
    [{ method: 'cash' }, 'false'],
    [{ supplier: 'fulu', state: 'paid' }, "stock_type = 'fulu' and status = 12"],
    [{ coupon: 'used' }, 'id in (select order_id from user_coupons where order_id is not null)'],
    [{ level: 'gold' }, isGold],
    [{ level: 'gold', goods: 'direct', state: 'delivered' }, `${isGold} and ${ofGoods('direct')} and status = 30`],
    [{ from: '2026-03-08' }, "created_at >= '2026-03-07T16:00:00Z'"],
    [{ to: '2026-03-07', goods: 'card' }, `created_at < '2026-03-07T16:00:00Z' and ${ofGoods('card')}`],
    [
      { currency: 'CNY', amount_from: '11.5', amount_to: '43' },
      "currency = 'CNY' and total_amount between 1150 and 4300",
    ],
  ];
  const orders = {
    newest: 'created_at desc, id desc',
    oldest: 'created_at, id',
    highest: 'total_amount desc, id desc',
    lowest: 'total_amount, id',
  };

  it.each(filters)('the list, the sums and the export of %j are those of SQL', async (filter, where) => {
    const { db } = testApp();
    const numbers = (order: string) =>
      db.column<string>(`select order_no from orders where ${where} order by ${order}`);
    for (const [sort, byTime] of Object.entries(orders)) {
      const order = filter.coupon ? byTime.replace(/created_at.*id/, 'id') : byTime;
      const isByAmount = sort === 'highest' || sort === 'lowest';
      if (isByAmount && filter.currency === undefined) continue;
      expect([sort, await allPages({ ...filter, sort })]).toEqual([sort, await numbers(order)]);
    }
    const sums = await db.rows<{ currency: string }>(
      `select currency, count(*) as orders, to_char(coalesce(sum(total_amount) filter (where paid_at is not null), 0) / 100.0, 'FM9999990.00') as paid,
              to_char(sum(refunded_amount) / 100.0, 'FM9999990.00') as refunded
         from orders where ${where} group by currency order by currency`,
    );
    const { data } = await ann.get(`orders/sums?${query(filter)}`);
    expect(data).toEqual({ orders: (await numbers('id')).length, sums });
    const { text, headers } = await ann.get(`orders/export?${query({ ...filter, format: 'csv' })}`);
    const rows = text.split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.split(',')[0])).toEqual(await numbers(filter.coupon ? 'id desc' : orders.newest));
    expect(Number(headers['x-total-rows'])).toBe(rows.length);
  });

  it.each(Object.keys(orders))(
    'a reader of the list sorted by %s sees each order once while orders arrive',
    async (sort) => {
      const filter = { currency: 'CNY', sort };
      const before = await allPages(filter);
      let round = 0;
      const seen = await allPages({ ...filter, limit: '31' }, () => addOrders(6, `NEW${sort}${round++}X`));
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((number) => before.includes(number))).toEqual(before);
      await testApp().db.run("delete from orders where order_no like 'NEW%'");
    },
  );

  it.each([
    ['orders?goods=unknown', 'goods'],
    ['orders?value=a', 'goods'],
    ['orders?goods=direct&value=b', 'value'],
    ['orders?coupon=unknown', 'coupon'],
    ['orders?level=unknown', 'level'],
    ['orders?state=open', 'state'],
    ['orders?colour=red', 'colour'],
    ['orders?from=2026-02-30', 'from'],
    ['orders?to=yesterday', 'to'],
    ['orders?amount_from=5', 'currency'],
    ['orders?currency=CNY&amount_to=1e3', 'amount_to'],
    ['orders?sort=highest', 'currency'],
    ['orders?cursor=1.2', 'cursor'],
    ['orders?sort=oldest&cursor=newest.1.2', 'cursor'],
    ['orders/sums?amount_from=5', 'currency'],
    ['orders/export?format=pdf', 'format'],
    ['orders/export?format=csv&goods=unknown', 'goods'],
  ])('%s is refused, and names the field %s', async (url, field) => {
    const { code, data } = await ann.get(url);
    expect([code, Object.keys(data.errors)]).toEqual([40001, [field]]);
  });

  const buyersPhone = () =>
    testApp().db.value<string>('select phone from users where id = (select min(user_id) from orders)');

  it('a row of the list names product, level and coupon, and masks the buyer’s phone for every role', async () => {
    const phone = await buyersPhone();
    const { data, text } = await manager.get('orders?coupon=used&limit=1');
    expect(data.list).toEqual([
      expect.objectContaining({
        name: '=HYPERLINK("x")',
        level: null,
        coupon: 'Coupon',
        pay_method: 'Wallet balance',
        kind: 'direct',
        delivery: 'delivered',
        contact: `${phone.slice(0, 3)}****${phone.slice(-4)}`,
      }),
    ]);
    expect(text).not.toContain(phone);
  });

  it('choices name what orders have', async () => {
    const { data } = await ann.get('orders/choices?goods=card');
    expect(data).toMatchObject({
      goods: expect.arrayContaining([{ key: 'card', name: 'Genshin Impact' }]),
      values: [
        { key: 'a', name: 'Value a' },
        { key: 'b', name: 'Value b' },
      ],
      coupons: [{ key: 'used', name: 'Coupon' }],
      levels: [{ key: 'gold', name: 'Gold' }],
      methods: [
        { key: 'alipay', name: 'Alipay' },
        { key: 'balance', name: 'Wallet balance' },
      ],
      suppliers: ['91', 'fulu', 'stock'],
    });
  });

  it('sums that take too long are refused with advice', async () => {
    const slow = { withTransaction: () => Promise.reject(Object.assign(new Error('canceled'), { code: '57014' })) };
    const view = { zone: 'UTC', locale: 'en' } as const;
    await expect(sumOrders(slow as unknown as Database, {}, view)).rejects.toMatchObject({ code: 46061 });
  });

  const fileOf = async (member: StaffMember, query: string, locale = 'en') =>
    (await member.inject('GET', `orders/export?${query}`, undefined, { locale })).rawPayload;

  it('an XLSX file opens again with numbers that equal SQL to the cent, and no text in it is a formula', async () => {
    const { sheets } = await readXlsx(await fileOf(ann, 'format=xlsx&sort=oldest'));
    const [head = [], ...rows] = sheets[0]?.rows ?? [];
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    const stored = await testApp().db.rows<{ no: string; amount: number; refunded: number }>(
      'select order_no as no, total_amount as amount, refunded_amount as refunded from orders order by created_at, id',
    );
    expect(column('Order')).toEqual(stored.map(({ no }) => no));
    const cents = (name: string) => column(name).map((amount) => Math.round(Number(amount) * 100));
    expect(cents('Amount')).toEqual(stored.map(({ amount }) => amount));
    expect(column('Amount').every((amount) => typeof amount === 'number')).toBe(true);
    expect(cents('Refunded')).toEqual(stored.map(({ refunded }) => refunded));
    expect(new Set(column('Product'))).toEqual(new Set(['=HYPERLINK("x")']));
    expect(column('Placed at')[0]).toBe('2026-03-07 23:59:59');
  });

  it.each([
    ['en', `'=HYPERLINK`],
    ['zh-CN', `,'＝1+1,`],
  ])('a CSV file in %s begins with the byte order mark, and no cell of it is a formula', async (locale, cell) => {
    const file = (await fileOf(ann, 'format=csv', locale)).toString();
    expect(file.startsWith('\uFEFF')).toBe(true);
    expect(file.split('\r\n')[1]).toContain(cell);
    expect(file).not.toMatch(/(^|,|")[=＝]/m);
  });

  it('only a manager’s export has whole contacts, and the audit log has filter, format and number of rows', async () => {
    const phone = await buyersPhone();
    for (const [member, isShown] of [
      [ann, false],
      [manager, true],
    ] as const) {
      expect((await fileOf(member, 'format=csv&goods=manual')).toString().includes(phone)).toBe(isShown);
      const detail = { format: 'csv', goods: 'manual', rows: COUNT / 5 };
      const entry = { actor: member.actor, detail };
      expect(await lastEntry(testApp(), "action = 'order.export'")).toMatchObject(entry);
    }
  });

  describe('an export while its client reads slowly', () => {
    const onPostgres = kinds.includes('postgres') ? it : it.skip;
    const amounts = () =>
      testApp().db.rows<{ no: string; refunded: string }>(
        `select order_no as no, to_char(refunded_amount / 100.0, 'FM9999990.00') as refunded from orders
          where created_at >= '2026-11-01' order by created_at desc, id desc`,
      );
    const open = () => testApp().db.load().staff.running;
    /** Responds with the first part of a file that no buffer of a socket holds. */
    const openExport = async (format = 'csv'): Promise<http.IncomingMessage> => {
      const { origin: _, ...headers } = fromConsole;
      const { port } = testApp().console.server.address() as AddressInfo;
      const path = `/staff/api/orders/export?format=${format}&from=2026-11-01`;
      const request = http.get({ port, path, headers: { ...headers, cookie: ann.cookie, locale: 'zh-CN' } });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      return response.pause();
    };
    const readAll = async (response: http.IncomingMessage) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      return text;
    };
    beforeAll(async () => {
      await testApp().console.listen({ port: 0, host: '127.0.0.1' });
      await addOrders(600, 'SLOW');
      await testApp().db.run(
        `update orders set created_at = '2026-11-02', snapshot = jsonb_set(snapshot, '{name,zh-CN}', to_jsonb(name))
           from (select string_agg(md5(n::text), '') as name from generate_series(1, 1000) n) t where order_no like 'SLOW%'`,
      );
    });

    onPostgres('it equals the orders of its beginning, while they change, arrive and go', async () => {
      const before = await amounts();
      const response = await openExport();
      await testApp().db.run("update orders set refunded_amount = total_amount where order_no like 'SLOW%'");
      await testApp().db.run("update orders set created_at = '2020-01-01' where order_no like 'SLOW1%'");
      await addOrders(10, 'SLOWER');
      await testApp().db.run("update orders set created_at = '2026-11-03' where order_no like 'SLOWER%'");
      const rows = (await readAll(response)).split('\r\n').slice(1, -1);
      const cells = rows.map((row) => row.split(','));
      expect(cells.map((row) => ({ no: row[0], refunded: row[11] }))).toEqual(before);
      expect(response.headers['x-total-rows']).toBe(String(before.length));
      await until('the end of the export', () => open() === 0);
    });

    onPostgres.each(['csv', 'xlsx'])(
      'it stops reading %s and frees its connection when the client leaves',
      async (format) => {
        const reads = jest.spyOn(Sql.prototype, 'rows');
        const response = await openExport(format);
        expect(open()).toBe(1);
        response.destroy();
        await until('the end of the export', () => open() === 0);
        const batches = reads.mock.calls.filter(([text]) => text.includes('with ordinality')).length;
        reads.mockRestore();
        expect(batches).toBeLessThan(6);
        const detail = { format, from: '2026-11-01', rows: (await amounts()).length };
        expect((await lastEntry(testApp(), "action = 'order.export'"))?.detail).toEqual(detail);
      },
    );

    onPostgres(
      'it breaks the connection when the database fails, so that no client takes it for complete',
      async () => {
        const response = await openExport();
        const end = `select pg_terminate_backend(pid) from pg_stat_activity
                    where datname = current_database() and state = 'idle in transaction'`;
        await until('the full buffers', async () => (await testApp().db.run(end)) === 1);
        await expect(readAll(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
      },
    );
  });
});
