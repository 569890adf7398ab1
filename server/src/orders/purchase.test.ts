import { onEveryDatabase } from '../../test/support/test-app';

onEveryDatabase('a purchase', (testApp) => {
  const phone = '13900000001';
  let token = '';
  const code = () => testApp().sentCode(phone);

  it('search finds goods by pinyin initials in any case and width', async () => {
    for (const keyword of ['ys', 'YS', 'ＹＳ', 'yuanshen', '原神', 'genshin', 'gi']) {
      const { data } = await testApp().get(`goods/list?keyword=${encodeURIComponent(keyword)}`);
      expect(data.list[0]?.name).toBe('原神');
    }
  });

  it('a new phone signs in with a code from the outbox', async () => {
    expect((await testApp().post('app/send_code', { phone })).data).toEqual({ expires_in: 300, resend_after: 60 });
    const answer = await testApp().post('app/login', { phone, login_type: 'verify', verify: await code() });
    expect(answer).toMatchObject({ code: 200, data: { token_type: 'Bearer' } });
    token = answer.data.access_token;
  });

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

  it('a shopper recharges through the signed cashier, buys, reveals and signs out', async () => {
    const user = { token };
    const created = await testApp().post(
      'recharge/create',
      { amount: '100.00', method: 'sandbox' },
      { ...user, key: 'recharge-1' },
    );
    expect(created.code).toBe(200);
    const page = await testApp().get(created.data.pay_url, { locale: 'en' });
    expect(page.text).toContain('¥100.00');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const paid = await testApp().post(`/cashier/${created.data.payment_no}`, 'action=pay', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(paid).toMatchObject({ status: 303, headers: { location: '/user/wallet' } });
    expect((await testApp().get('user/info', user)).data.balance).toBe('100.00');

    const body = { goods_id: testApp().goods.card.id, spec_id: testApp().spec('card', 'b'), quantity: 2 };
    const preview = (await testApp().post('order/preview', body, user)).data;
    expect(preview).toMatchObject({ total_amount: '66.66', balance: '100.00', balance_enough: true });
    const order = await testApp().post(
      'order/create',
      { ...body, price_version: preview.price_version },
      { ...user, key: 'order-001' },
    );
    expect(order.data).toMatchObject({ status: 10, delivery_status: 0, total_amount: '66.66' });
    const { order_no } = order.data;
    const payment = await testApp().post('payment/balance', { order_no }, { ...user, key: 'pay-0001' });
    expect(payment.data).toMatchObject({ status: 30, delivery_status: 20, balance: '33.34' });

    const info = await testApp().get(`order/info?order_no=${order_no}`, user);
    expect(info.data).toMatchObject({ cards_count: 2, refund: null, snapshot: { name: '原神' } });
    expect(info.text).not.toContain('card_no');
    expect((await testApp().post('order/cards', { order_no }, user)).data.cards).toHaveLength(2);
    await testApp().db.run('update sessions set fresh_until = null');
    expect(await testApp().post('order/cards', { order_no }, user)).toMatchObject({ code: 43030 });
    await testApp().post('app/send_code', { phone, scene: 'cards' });
    const cards = await testApp().post('order/cards', { order_no, verify: await code() }, user);
    expect(cards.data.cards).toHaveLength(2);
    expect(cards.headers['cache-control']).toBe('no-store');

    const log = (await testApp().get('user/balanceLog', user)).data;
    expect(log.list.map((row: { amount: string }) => row.amount)).toEqual(['-66.66', '100.00']);
    expect(log.summary).toEqual({ income: '100.00', expense: '66.66' });
    await testApp().check();

    expect((await testApp().post('app/logout', {}, user)).code).toBe(200);
    expect((await testApp().get('user/info', user)).code).toBe(401);
  });

  it('the server serves OpenAPI and answers 404 in the envelope', async () => {
    const openapi = JSON.parse((await testApp().get('/docs/openapi.json')).text);
    expect(Object.keys(openapi.paths)).toEqual(
      expect.arrayContaining(['/api/front/order/create', '/api/front/user/info']),
    );
    expect(await testApp().get('app/login')).toMatchObject({ status: 404, code: 404 });
  });

  it('the server responds in the language and currency of the headers', async () => {
    const english = await testApp().get(`goods/info?id=${testApp().goods.card.id}`, { locale: 'en', currency: 'USD' });
    expect(english.data).toMatchObject({
      name: 'Genshin Impact',
      currency: 'USD',
      specs: [{ price: '1.50' }, { price: '1.50' }],
    });
    expect(await testApp().get('goods/info?id=99999', { locale: 'en' })).toMatchObject({
      code: 42204,
      message: expect.stringContaining('no longer'),
    });
  });
});
