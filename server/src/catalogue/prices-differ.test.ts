import { onEveryDatabase } from '../../test/support/test-app';

onEveryDatabase('prices in lists', (testApp) => {
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

  it('every list says whether the values of a product have several prices', async () => {
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
  });

  it('prices_differ considers only values that are on sale', async () => {
    await testApp().db.run('update goods_specs set active = false where id = $1', [testApp().spec('card', 'b')]);
    const [modules] = await where('CNY');
    expect(modules).toMatchObject({ [testApp().goods.card.id]: false });
  });
});
