import { ErrorCode } from '@shop/shared/domain';
import { refund } from '../../test/support/money-back';
import { onEveryDatabase } from '../../test/support/test-app';

onEveryDatabase('limits of an order', (testApp) => {
  afterEach(() => jest.restoreAllMocks());
  const setGoods = (id: number, change: string) => testApp().db.run(`update goods set ${change} where id = $1`, [id]);
  it('an order is refused to a user with five unpaid ones, until one is cancelled', async () => {
    const user = await testApp().user();
    const orders = [];
    for (let index = 0; index < 5; index++) orders.push((await user.order()).data.order_no);
    expect((await user.order()).code).toBe(ErrorCode.TooManyUnpaidOrders);
    await user.post('order/cancel', { order_no: orders[0] });
    expect((await user.order()).code).toBe(200);
  });

  it.each(['per_user', 'per_day'])('orders respect the %s limit of the goods, also concurrently', async (limit) => {
    const { id } = testApp().goods.card;
    await setGoods(id, `${limit} = 3`);
    const user = await testApp().user(10_000);
    const bought = await user.bought({ quantity: 2 });
    expect((await user.get(`goods/info?id=${id}`)).data.limits).toMatchObject({ [limit]: 3, used: 2 });
    expect((await user.order({ quantity: 2 })).code).toBe(ErrorCode.PurchaseLimitReached);
    expect((await user.order()).code).toBe(200);
    await refund(testApp().context, bought, { quantity: 1 });
    expect((await user.get(`goods/info?id=${id}`)).data.limits).toMatchObject({ used: 2 });
    expect((await user.order()).code).toBe(200);
    const other = await testApp().user();
    const answers = await Promise.all(Array.from({ length: 4 }, () => other.order({ quantity: 2 })));
    const refused = Array(3).fill(ErrorCode.PurchaseLimitReached);
    expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([200, ...refused]);
    await setGoods(id, `${limit} = 0`);
  });

  it('a purchase limit ignores cancelled and refunded pieces and other goods, and a daily limit ignores older orders', async () => {
    const { id } = testApp().goods.card;
    const user = await testApp().user(100_000);
    await setGoods(id, 'per_user = 2, per_day = 1');
    await user.bought(testApp().orderBody('manual'));
    const unpaid = (await user.order()).data.order_no;
    expect((await user.order()).code).toBe(ErrorCode.PurchaseLimitReached);
    await user.post('order/cancel', { order_no: unpaid });
    const refunded = await user.bought();
    expect((await user.order()).code).toBe(ErrorCode.PurchaseLimitReached);
    await refund(testApp().context, refunded);
    const dayOld = async () => {
      const orderNo = await user.bought();
      expect((await user.order()).code).toBe(ErrorCode.PurchaseLimitReached);
      await testApp().db.run("update orders set created_at = created_at - interval '1 day' where order_no = $1", [
        orderNo,
      ]);
    };
    await dayOld();
    await dayOld();
    expect((await user.order()).code).toBe(ErrorCode.PurchaseLimitReached);
    await setGoods(id, 'per_user = 0');
    expect((await user.order()).code).toBe(200);
    await setGoods(id, 'per_day = 0');
  });

  it('an order gets no expired code, even if it is the oldest', async () => {
    const { db } = testApp();
    await testApp().setStock(2);
    const free = 'spec_id = $1 and state = 0';
    const expired = await db.one<{ id: number }>(
      `update card_codes set expire_at = clock_timestamp() where id = (select min(id) from card_codes where ${free}) returning id`,
      [testApp().spec('card')],
    );
    const user = await testApp().user(10_000);
    expect((await user.order({ quantity: 2 })).code).toBe(ErrorCode.OutOfStock);
    await user.bought();
    expect((await user.order()).code).toBe(ErrorCode.OutOfStock);
    expect(await db.one('select state from card_codes where id = $1', [expired.id])).toEqual({ state: 0 });
    await testApp().setStock(50);
  });

  it('an order of goods that require it needs the game account validated for exactly its fields, within ten minutes', async () => {
    const { id } = testApp().goods.custom;
    await setGoods(id, 'need_verify_account = true');
    const user = await testApp().user();
    const order = (uid: string, validation_token?: string) =>
      user.order({ goods_id: id, custom_value: 100, fields: { uid }, validation_token });
    expect((await order('10001')).code).toBe(ErrorCode.GameAccountNotVerified);
    const checked = await user.post('goods/validateAccount', { goods_id: id, fields: { uid: '10001' } });
    const { ok, validation_token: token } = checked.data;
    expect(ok).toBe(true);
    expect((await order('10002', token)).code).toBe(ErrorCode.GameAccountNotVerified);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now');
    clock.mockReturnValue(now + 601_000);
    expect((await order('10001', token)).code).toBe(ErrorCode.GameAccountNotVerified);
    clock.mockReturnValue(now + 590_000);
    expect((await order('10001', token)).code).toBe(200);
    await setGoods(id, 'need_verify_account = false');
  });
});
