import { onEveryDatabase } from '../support/test-app';
import { workOf } from '../support/work-of';

onEveryDatabase('data of another user', (testApp) => {
  it('another user’s data returns the same "not found" by the same statements as data that does not exist', async () => {
    const [owner, thief] = [await testApp().user(5000), await testApp().user()];
    const { data } = await owner.order();
    await owner.pay(data.order_no);
    const unknown = 'A'.repeat(20);
    const calls: Array<(order_no: string) => ReturnType<typeof thief.info>> = [
      thief.info,
      ...['payment/balance', 'order/cancel', 'order/delete', 'order/refundApply', 'order/again'].map(
        (url) => (order_no: string) => thief.post(url, { order_no }),
      ),
      (order_no) => thief.post('order/answer', { order_no, answer: 'x' }),
      (order_no) => thief.post('order/cards', { order_no, password: 'demo1234' }),
      (order_no) => thief.post('payment/online', { order_no, method: 'sandbox' }),
    ];
    const statementsOf = async (call: () => ReturnType<typeof thief.info>) =>
      (await workOf(async () => expect(await call()).toMatchObject({ code: 43404, data: null }))).statements;
    for (const call of calls) {
      const foreign = await statementsOf(() => call(data.order_no));
      expect(foreign.length).toBeGreaterThan(0);
      expect(await statementsOf(() => call(unknown))).toEqual(foreign);
    }
    const { data: recharge } = await owner.post('recharge/create', { amount: '10.00', method: 'sandbox' });
    const status = (number: string) => () => thief.get(`payment/status?payment_no=${number}`);
    expect(await statementsOf(status(unknown))).toEqual(await statementsOf(status(recharge.payment_no)));
    const { recharge_no } = recharge;
    expect((await thief.post('payment/online', { recharge_no, method: 'sandbox' })).code).toBe(43404);
    const gameAccount = { goods_id: testApp().goods.direct.id, fields: { uid: '1', secret: 'x' } };
    const { data: account } = await owner.post('user/gameAccount', gameAccount);
    expect(account.fields).toEqual({ uid: '1' });
    expect((await thief.delete(`user/gameAccount?id=${account.id}`)).data).toEqual({ deleted: false });
    expect((await owner.get('user/gameAccount')).data).toHaveLength(1);
  });

  it('another user’s coupon cannot be used', async () => {
    const [owner, thief] = [await testApp().user(5000), await testApp().user(5000)];
    const id = await testApp().addCoupon({ reduce: 300 });
    const [{ user_coupon_id }] = (await owner.post('coupon/receive', { coupon_id: id })).data;
    const unknown = await thief.order({ spec_id: testApp().spec('card'), user_coupon_id: 999_999 });
    const foreign = await thief.order({ spec_id: testApp().spec('card'), user_coupon_id });
    expect([foreign.code, foreign.message]).toEqual([44404, unknown.message]);
    expect((await thief.get('coupon/getUserCouponList')).data).toEqual([]);
    expect((await owner.get('coupon/getUserCouponList?status=1')).data).toHaveLength(1);
  });

  it('order numbers have at least eighty random bits', async () => {
    const user = await testApp().user();
    const numbers = [(await user.order()).data.order_no, (await user.order()).data.order_no] as string[];
    for (const number of numbers) expect(number).toMatch(/^[0-9A-HJKMNP-TV-Z]{20}$/);
    expect(numbers[0]?.slice(0, 6)).not.toBe(numbers[1]?.slice(0, 6));
  });
});
