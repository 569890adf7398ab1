import { onEveryDatabase, type User } from '../../../test/support/test-app';

onEveryDatabase('favourites', (testApp) => {
  const add = (user: User, goods_id: number) => user.post('user/favourite', { goods_id });

  it('favourites are listed latest first, each once, only for their owner, and until they are removed', async () => {
    const { card, direct } = testApp().goods;
    const [ann, bob] = [await testApp().user(), await testApp().user()];
    for (const id of [card.id, direct.id, card.id]) await add(ann, id);
    expect((await ann.get('user/favourite/ids')).data.goods_ids).toEqual([direct.id, card.id]);
    expect((await bob.get('user/favourite/ids')).data.goods_ids).toEqual([]);
    const { data } = await ann.get('user/favourite?page=1&limit=1', { locale: 'en', currency: 'USD' });
    expect(data).toMatchObject({ total: 2, has_more: true });
    expect(data.list).toEqual([
      expect.objectContaining({ id: direct.id, min_price: '1.50', currency: 'USD', available: true, sold_out: false }),
    ]);
    expect((await testApp().get('user/favourite/ids')).code).toBe(401);
    for (const { id: goods_id } of [card, card, direct])
      expect((await ann.delete(`user/favourite?goods_id=${goods_id}`)).data).toEqual({ goods_id, favourite: false });
    expect((await ann.get('user/favourite')).data).toMatchObject({ list: [], total: 0 });
  });

  it('a favourite stays in the list when it cannot be bought any more, and says so', async () => {
    const user = await testApp().user();
    const { id } = testApp().goods.custom;
    await add(user, id);
    const { data } = await user.get('user/favourite', { currency: 'USD' });
    expect(data.list).toMatchObject([{ available: false, min_price: null }]);
    await testApp().db.run('update goods set status = 2 where id = $1', [id]);
    expect((await user.get('user/favourite')).data.list[0]).toMatchObject({ id, available: false });
    expect(await add(await testApp().user(), id)).toMatchObject({ code: 42204 });
    await testApp().db.run('update goods set status = 1 where id = $1', [id]);
  });

  it('a user has at most 500 favourites: one more is refused with a reason, and none is lost', async () => {
    const user = await testApp().user();
    const { card, manual } = testApp().goods;
    await testApp().db.script(`
      insert into goods (key, category_id, name_zh, name_en, recharge_type, spec_type, status)
        select 'many-' || n, (select min(id) from categories), 'n', 'n', 4, 1, 2 from generate_series(1, 499) n;
      insert into favourites (user_id, goods_id) select ${user.id}, id from goods where key like 'many-%';`);
    await add(user, card.id);
    expect(await add(user, manual.id)).toMatchObject({ code: 42223, message: '收藏已满，请先移除一些' });
    expect(await add(user, card.id)).toMatchObject({ code: 200 });
    expect((await user.get('user/favourite')).data.total).toBe(500);
  });
});
