import { onEveryDatabase } from '../support/test-app';
import { workOf } from '../support/work-of';

onEveryDatabase('data of another user', (testApp) => {
  it('another user’s data returns the same "not found" as data that does not exist', async () => {
    const [owner, thief] = [await testApp().user(5000), await testApp().user()];
    const { data } = await owner.order();
    await owner.pay(data.order_no);
    const { order_no } = data;
    const unknown = 'A'.repeat(20);
    for (const number of [order_no, unknown]) {
      expect(await thief.info(number)).toMatchObject({ code: 43404, data: null });
      for (const call of ['cancel', 'delete', 'refundApply', 'again']) {
        expect((await thief.post(`order/${call}`, { order_no: number })).code).toBe(43404);
      }
      expect((await thief.post('order/answer', { order_no: number, answer: 'x' })).code).toBe(43404);
      expect((await thief.post('order/cards', { order_no: number, password: 'demo1234' })).code).toBe(43404);
      expect((await thief.pay(number)).code).toBe(43404);
      expect((await thief.post('payment/online', { order_no: number, method: 'sandbox' })).code).toBe(43404);
    }
    const { data: recharge } = await owner.post('recharge/create', { amount: '10.00', method: 'sandbox' });
    expect((await thief.get(`payment/status?payment_no=${recharge.payment_no}`)).code).toBe(43404);
    expect((await thief.post('payment/online', { recharge_no: recharge.recharge_no, method: 'sandbox' })).code).toBe(
      43404,
    );
    const { data: account } = await owner.post('user/gameAccount', {
      goods_id: testApp().goods.direct.id,
      fields: { uid: '1', secret: 'x' },
    });
    expect(account.fields).toEqual({ uid: '1' });
    expect(
      (await testApp().call('DELETE', `user/gameAccount?id=${account.id}`, undefined, { token: thief.token })).data
        .deleted,
    ).toBe(false);
    expect((await owner.get('user/gameAccount')).data).toHaveLength(1);
  });

  it('another user’s coupon cannot be used', async () => {
    const [owner, thief] = [await testApp().user(5000), await testApp().user(5000)];
    await testApp().db.script(`
      insert into coupons (key, name_zh, name_en, coupon_type, expire_type, expire_day, apply_range)
        values ('theirs', '券', 'Coupon', 10, 10, 7, 10);
      insert into coupon_amounts select id, 'CNY', 300, 0 from coupons where key = 'theirs'`);
    const { id } = await testApp().db.one<{ id: number }>("select id from coupons where key = 'theirs'");
    const [{ user_coupon_id }] = (await owner.post('coupon/receive', { coupon_id: id })).data;
    const unknown = await thief.order({ spec_id: testApp().spec('card'), user_coupon_id: 999_999 });
    const foreign = await thief.order({ spec_id: testApp().spec('card'), user_coupon_id });
    expect([foreign.code, foreign.message]).toEqual([44404, unknown.message]);
    expect((await thief.get('coupon/getUserCouponList')).data).toEqual([]);
    expect((await owner.get('coupon/getUserCouponList?status=1')).data).toHaveLength(1);
  });

  it('another user’s data runs the same statements as missing data, so that timing reveals nothing', async () => {
    const [owner, thief] = [await testApp().user(5000), await testApp().user()];
    const orderNo = await owner.bought();
    const { data: recharge } = await owner.post('recharge/create', { amount: '10.00', method: 'sandbox' });
    const statementsOf = async (call: () => Promise<unknown>) => (await workOf(call)).statements;
    const unknown = 'A'.repeat(20);
    for (const call of [
      (number: string) => thief.info(number),
      (number: string) => thief.pay(number),
      (number: string) => thief.post('order/cancel', { order_no: number }),
      (number: string) => thief.post('order/delete', { order_no: number }),
      (number: string) => thief.post('order/refundApply', { order_no: number }),
      (number: string) => thief.post('order/again', { order_no: number }),
      (number: string) => thief.post('order/cards', { order_no: number, password: 'x' }),
      (number: string) => thief.post('payment/online', { order_no: number, method: 'sandbox' }),
    ]) {
      const foreign = await statementsOf(() => call(orderNo));
      expect(foreign.length).toBeGreaterThan(0);
      expect(await statementsOf(() => call(unknown))).toEqual(foreign);
    }
    const status = (number: string) => () => thief.get(`payment/status?payment_no=${number}`);
    expect(await statementsOf(status(unknown))).toEqual(await statementsOf(status(recharge.payment_no)));
  });

  it('order numbers have at least eighty random bits', async () => {
    const user = await testApp().user();
    const numbers = [(await user.order()).data.order_no, (await user.order()).data.order_no] as string[];
    for (const number of numbers) expect(number).toMatch(/^[0-9A-HJKMNP-TV-Z]{20}$/);
    expect(numbers[0]?.slice(0, 6)).not.toBe(numbers[1]?.slice(0, 6));
  });
});
