import { onEveryDatabase } from '../../test/support/test-app';
import { countSales } from '../jobs/jobs';

onEveryDatabase('goods with delivered orders', (testApp) => {
  const info = async () => (await testApp().get(`goods/info?id=${testApp().goods.manual.id}`)).data;
  const figures = async () => {
    const { sold, delivery_seconds } = await info();
    return { sold, delivery_seconds };
  };
  const deliver = (seconds: number[]) =>
    testApp().db.script(
      seconds
        .map(
          (duration, index) => `
      insert into orders (order_no, user_id, goods_id, spec_id, quantity, currency, unit_price, original_amount, total_amount,
          recharge_type, stock_type, status, delivery_status, snapshot, expire_at, paid_at, finished_at)
        select 'SOLD' || md5(random()::text), (select min(id) from users), ${testApp().goods.manual.id}, null, 1, 'CNY', 0, 0, 0,
          4, 'stock', 30, 20, '{}', now(), now() - interval '${duration} seconds', now() + interval '${index} ms';`,
        )
        .join(''),
    );
  beforeAll(async () => {
    await testApp().user();
  });

  it('goods without enough delivered orders show no delivery time', async () => {
    await countSales(testApp().db);
    expect(await figures()).toEqual({ sold: 0, delivery_seconds: null });
    await deliver([60, 60]);
    await countSales(testApp().db);
    expect(await figures()).toEqual({ sold: 2, delivery_seconds: null });
  });

  it('goods show the median delivery time of their last 30 orders, and sold pieces rounded down', async () => {
    await deliver([...Array<number>(20).fill(3600), ...Array<number>(31).fill(120)]);
    await countSales(testApp().db);
    expect(await figures()).toEqual({ sold: 50, delivery_seconds: 120 });
    const list = (await testApp().get('goods/list?sort=hot')).data.list;
    expect(list[0].id).toBe(testApp().goods.manual.id);
  });

  it('sold pieces exclude refunded ones', async () => {
    await testApp().db.script(
      `update orders set status = 60, refunded_quantity = 1 where order_no like 'SOLD%' and finished_at - paid_at > interval '1 hour'`,
    );
    await countSales(testApp().db);
    expect((await figures()).sold).toBe(30);
  });

  it('counting sales keeps cached responses while nothing was sold', async () => {
    const changes = () => testApp().db.one('select count(*) as n from public_changes where goods_id = 0');
    const before = await changes();
    expect(await countSales(testApp().db)).toBe(0);
    expect(await changes()).toEqual(before);
  });

  it('the delivery times of goods are read by an index', async () => {
    const plan = await testApp().db.withTransaction(async (sql) => {
      await sql.script('set local enable_seqscan = off');
      return sql.rows(
        'explain select finished_at, paid_at from orders where goods_id = 1 and status = 30 order by finished_at desc limit 30',
      );
    });
    expect(JSON.stringify(plan)).toContain('orders_delivered');
  });
});
