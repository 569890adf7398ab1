import { onEveryDatabase } from '../../test/support/test-app';

onEveryDatabase('a purchase', (testApp) => {
  it('a purchase offers the coupon with the largest discount on this order, until it is received', async () => {
    const { db, goods } = testApp();
    await db.script(`
      with offered as (insert into coupons (key, name_zh, name_en, coupon_type, expire_type, expire_day, apply_range, offer)
        values ('offer-2', '减二', 'Two', 10, 10, 7, 10, true), ('offer-5', '减五', 'Five', 10, 10, 7, 10, true),
               ('offer-9', '减九', 'Nine', 10, 10, 7, 20, true), ('offer-80', '减八十', 'Eighty', 10, 10, 7, 10, true) returning id, key)
      insert into coupon_amounts (coupon_id, currency, reduce_price, min_price)
        select id, 'CNY', split_part(key, '-', 2)::integer * 100, case key when 'offer-80' then 9000 else 500 end from offered`);
    const user = await testApp().user(5000);
    const body = { goods_id: goods.card.id, spec_id: testApp().spec('card'), quantity: 1 };
    const preview = async (quantity = 1) => (await user.post('order/preview', { ...body, quantity })).data;
    const first = await preview();
    expect(first.offer).toMatchObject({ name: '减五', discount_amount: '5.00', total_amount: '5.00' });
    expect(first).toMatchObject({ coupon: null, total_amount: '10.00' });
    expect((await user.post('coupon/receive', { coupon_id: first.offer.id })).code).toBe(200);
    expect(await preview()).toMatchObject({ total_amount: '5.00', offer: { name: '减二', discount_amount: '2.00' } });
    expect((await preview(9)).offer).toMatchObject({ name: '减八十' });
    await db.run('update coupons set offer = false');
    expect((await preview()).offer).toBeNull();
  });
});
