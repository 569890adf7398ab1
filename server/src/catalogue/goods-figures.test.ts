import { onEveryDatabase } from '../../test/support/test-app';
import { countSales } from '../jobs/jobs';

onEveryDatabase('figures of goods', (testApp) => {
  const where = async (currency: 'CNY' | 'USD') => {
    const options = { currency };
    const user = await testApp().user();
    const { data: modules } = await testApp().get('customModule/list?channel=3', options);
    const { data: page } = await testApp().get('goods/list', options);
    for (const { id } of page.list) await user.post('user/favourite', { goods_id: id });
    const { data: favourites } = await user.get('user/favourite', options);
    const byId = (rows: Array<{ id?: number; link_value?: string; prices_differ: boolean }>) =>
      Object.fromEntries(rows.map((row) => [String(row.link_value ?? row.id), row.prices_differ]));
    return [byId(modules[0].items), byId(page.list), byId(favourites.list)];
  };

  it('every list says whether the values of a product that are on sale have several prices', async () => {
    const { card, direct, custom, manual } = testApp().goods;
    await testApp().db.script(`
      with m as (insert into custom_modules (key, channel, template, title, subtitle)
        values ('prices', 3, 3, '{"zh-CN":"价","en":"P"}', '{"zh-CN":"","en":""}') returning id)
      insert into custom_module_items (module_id, kind, goods_id, link_type, link_value)
        select m.id, 'goods', g.id, 1, g.id::text from m, goods g`);
    const yuan = { [card.id]: true, [direct.id]: false, [custom.id]: true, [manual.id]: false };
    const dollars = { [card.id]: false, [direct.id]: false, [manual.id]: false };
    expect(await where('CNY')).toEqual([yuan, yuan, yuan]);
    expect(await where('USD')).toEqual([dollars, dollars, dollars]);
    await testApp().db.run('update goods_specs set active = false where id = $1', [testApp().spec('card', 'b')]);
    const [modules] = await where('CNY');
    expect(modules).toMatchObject({ [card.id]: false });
  });

  const figures = async () => {
    const { sold, delivery_seconds } = (await testApp().get(`goods/info?id=${testApp().goods.manual.id}`)).data;
    return { sold, delivery_seconds };
  };
  const deliver = (seconds: number[]) =>
    testApp().db.run(
      `insert into orders (order_no, user_id, goods_id, quantity, currency, unit_price, original_amount, total_amount,
          recharge_type, stock_type, status, delivery_status, snapshot, expire_at, paid_at, finished_at)
        select 'SOLD' || md5(random()::text), (select min(id) from users), $1, 1, 'CNY', 0, 0, 0, 4, 'stock', 30, 20, '{}',
               now(), now() - make_interval(secs => d.seconds), now() + make_interval(secs => d.n / 1000.0)
          from unnest($2::integer[]) with ordinality d (seconds, n)`,
      [testApp().goods.manual.id, seconds],
    );

  it('goods show their sold pieces rounded down, and the median delivery time of their last 30 orders, from three on', async () => {
    await testApp().user();
    await countSales(testApp().db);
    expect(await figures()).toEqual({ sold: 0, delivery_seconds: null });
    await deliver([60, 60]);
    await countSales(testApp().db);
    expect(await figures()).toEqual({ sold: 2, delivery_seconds: null });
    await deliver([...Array<number>(20).fill(3600), ...Array<number>(31).fill(120)]);
    await countSales(testApp().db);
    expect(await figures()).toEqual({ sold: 50, delivery_seconds: 120 });
    const list = (await testApp().get('goods/list?sort=hot')).data.list;
    expect(list[0].id).toBe(testApp().goods.manual.id);
  });

  it('sold pieces exclude refunded ones, and counting them keeps cached responses while nothing was sold', async () => {
    await testApp().db.script(
      `update orders set status = 60, refunded_quantity = 1 where order_no like 'SOLD%' and finished_at - paid_at > interval '1 hour'`,
    );
    await countSales(testApp().db);
    expect((await figures()).sold).toBe(30);
    const changes = () => testApp().db.one('select count(*) as n from public_changes where goods_id = 0');
    const before = await changes();
    expect(await countSales(testApp().db)).toBe(0);
    expect(await changes()).toEqual(before);
  });
});
