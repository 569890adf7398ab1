import { ErrorCode, GoodsStatus } from '@shop/shared/domain';
import { deliver, refund } from '../../test/support/money-back';
import { onEveryDatabase, type User } from '../../test/support/test-app';

onEveryDatabase('order states', (testApp) => {
  afterEach(() => testApp().check());
  async function orders(user: User) {
    const manual = testApp().orderBody('manual');
    const placed = {
      unpaid: (await user.order()).data.order_no as string,
      closed: (await user.order()).data.order_no as string,
      processing: await user.bought(manual),
      finished: await user.bought(),
      delivered: await user.bought(manual),
      refunded: await user.bought(manual),
    };
    await user.post('order/cancel', { order_no: placed.closed });
    await deliver(testApp().context, placed.delivered);
    await refund(testApp().context, placed.refunded, { reason: '' });
    return placed;
  }
  const states = ['unpaid', 'closed', 'processing', 'finished', 'delivered', 'refunded'] as const;

  it('each state of an order offers its actions, and every other action is refused', async () => {
    const user = await testApp().user(100_000);
    const placed = await orders(user);
    const offered = {
      unpaid: ['pay', 'cancel'],
      closed: ['delete', 'again'],
      processing: ['refund', 'again'],
      finished: ['delete', 'refund', 'again', 'reveal'],
      delivered: ['delete', 'refund', 'again'],
      refunded: ['delete', 'again'],
    };
    for (const state of states) {
      const { actions, refund } = (await user.info(placed[state])).data;
      expect([state, Object.keys(actions).filter((action) => actions[action])]).toEqual([state, offered[state]]);
      expect([state, refund?.state ?? null]).toEqual([state, state === 'refunded' ? 'refunded' : null]);
    }
    const codes = async (call: string, more = {}) =>
      Object.fromEntries(
        await Promise.all(
          states.map(async (state) => [state, (await user.post(call, { order_no: placed[state], ...more })).code]),
        ),
      );
    const wrong = ErrorCode.WrongOrderState;
    const paid = { processing: wrong, finished: wrong, delivered: wrong, refunded: wrong };
    const online = { ...paid, unpaid: 200, closed: ErrorCode.OrderClosed };
    expect(await codes('payment/online', { method: 'sandbox' })).toEqual(online);
    const refundCodes = {
      unpaid: wrong,
      closed: wrong,
      processing: 200,
      finished: 200,
      delivered: 200,
      refunded: wrong,
    };
    expect(await codes('order/refundApply', { reason: 'too many' })).toEqual(refundCodes);
    expect((await user.post('order/refundApply', { order_no: placed.processing })).code).toBe(wrong);
    expect((await user.info(placed.processing)).data).toMatchObject({
      actions: { refund: false },
      refund: { state: 'requested', reason: 'too many', amount: '20.00', refunded_at: null },
    });
    expect(await codes('order/delete')).toEqual({
      unpaid: wrong,
      processing: wrong,
      closed: 200,
      finished: 200,
      delivered: 200,
      refunded: 200,
    });
    expect(await codes('order/cancel')).toEqual(online);
    expect((await user.info(placed.unpaid)).data).toMatchObject({ close_reason: 2, actions: { pay: false } });
  });

  it('a refund without a reason keeps the reason of the shopper’s request', async () => {
    const user = await testApp().user(10_000);
    const refunded = async (reason: string) => {
      const orderNo = await user.bought(testApp().orderBody('manual'));
      await user.post('order/refundApply', { order_no: orderNo, reason: 'too late for me' });
      await refund(testApp().context, orderNo, { reason });
      return (await user.info(orderNo)).data.refund;
    };
    expect(await refunded('')).toMatchObject({ state: 'refunded', reason: 'too late for me' });
    expect(await refunded('sold out')).toMatchObject({ state: 'refunded', reason: 'sold out' });
  });

  it('the order list finds orders by a part of the name or the number and by their state, until they are deleted', async () => {
    const user = await testApp().user(100_000);
    const placed = await orders(user);
    const list = async (query: string) => (await user.get(`order/list?${query}`)).data;
    expect((await list(`keyword=${encodeURIComponent(' 原神 ')}`)).total).toBe(3);
    expect((await list(`keyword=${placed.closed.slice(2, 12).toLowerCase()}`)).list).toMatchObject([
      { order_no: placed.closed, name: '原神', face_value: '面值a', actions: { pay: false } },
    ]);
    expect((await list('keyword=nothing-of-the-kind')).total).toBe(0);
    const { unpaid, closed, processing, finished, delivered, refunded } = placed;
    const tabs = {
      unpaid: [unpaid],
      processing: [processing],
      finished: [delivered, finished],
      refunded: [refunded],
      closed: [closed],
      all: [refunded, delivered, finished, processing, closed, unpaid],
    };
    const listed = async (tab: string) =>
      (await list(`tab=${tab}`)).list.map(({ order_no }: { order_no: string }) => order_no);
    for (const [tab, expected] of Object.entries(tabs)) expect([tab, await listed(tab)]).toEqual([tab, expected]);
    await user.post('order/delete', { order_no: closed });
    expect(await listed('closed')).toEqual([]);
  });

  it('an order shows its fields masked and passes them to the next order without secrets', async () => {
    const user = await testApp().user(100_000);
    const { direct } = testApp().goods;
    const label = (zh: string, en: string) => ({ 'zh-CN': zh, en });
    const field = (key: string, type: string, more = {}) => ({
      key,
      label: label(key, key),
      type,
      remember: true,
      ...more,
    });
    const before = await testApp().db.one<{ fields: unknown }>('select fields from goods where id = $1', [direct.id]);
    const setFields = (fields: unknown) =>
      testApp().db.run('update goods set fields = $2 where id = $1', [direct.id, JSON.stringify(fields)]);
    await setFields([
      field('uid', 'text', { required: true }),
      field('phone', 'text'),
      field('secret', 'password'),
      field('server', 'select', { options: [{ value: 'eu', label: label('欧服', 'Europe') }] }),
      field('once', 'text', { remember: false }),
      field('empty', 'text'),
    ]);
    await testApp().setCounter(null);
    const fields = { uid: 'fang', phone: '13812345678', secret: 'hush', server: 'eu', once: 'x', empty: ' ' };
    const selection = { ...testApp().orderBody('direct'), quantity: 2, fields };
    const { data } = await user.order(selection);
    const shown = (await user.get(`order/info?order_no=${data.order_no}`, { locale: 'en' })).data.snapshot.fields;
    expect(shown.map(({ key, value }: { key: string; value: string }) => [key, value])).toEqual([
      ['uid', 'fang'],
      ['phone', '138****5678'],
      ['secret', '******'],
      ['server', 'Europe'],
      ['once', 'x'],
    ]);
    const again = async () => (await user.post('order/again', { order_no: data.order_no })).data;
    expect(await again()).toMatchObject({ ...testApp().orderBody('direct'), quantity: 2, available: true });
    expect((await again()).fields).toEqual({ uid: 'fang', phone: '13812345678', server: 'eu' });
    const { db } = testApp();
    for (const status of [GoodsStatus.OffShelf, GoodsStatus.VipShelf, GoodsStatus.OnShelf]) {
      await db.run('update goods set status = $2 where id = $1', [direct.id, status]);
      const available = status === GoodsStatus.OnShelf;
      expect([status, await again()]).toMatchObject([status, { available, need_verify_account: false }]);
    }
    for (const active of [false, true]) {
      await db.run('update goods_specs set active = $2 where id = $1', [testApp().spec('direct'), active]);
      expect([active, (await again()).available]).toEqual([active, active]);
    }
    await setFields(before.fields);
  });

  it('an order is computed from a quantity and a custom value that the goods allow, in a currency that they have', async () => {
    const user = await testApp().user();
    const { card, custom } = testApp().goods;
    const preview = (body: object, options = {}) => user.post('order/preview', { quantity: 1, ...body }, options);
    await testApp().db.run('update goods set min_qty = 2, max_qty = 6 where id = $1', [card.id]);
    await testApp().db.run('update goods_specs set max_qty = 4 where id = $1', [testApp().spec('card')]);
    const of = (quantity: number) => preview({ ...testApp().orderBody('card'), quantity, coupon: 'none' });
    const allowed = await Promise.all([1, 2, 4, 5, 6].map(of));
    expect(allowed.map(({ code }) => code)).toEqual([42221, 200, 200, 42221, 42221]);
    expect(allowed[1]?.data).toMatchObject({
      unit_price: '10.00',
      quantity: 2,
      original_amount: '20.00',
      coupon_discount: '0.00',
      total_amount: '20.00',
      breakdown: [
        { kind: 'goods', amount: '20.00' },
        { kind: 'total', amount: '20.00' },
      ],
      balance: '0.00',
      balance_enough: false,
      coupon: null,
    });
    const body = testApp().orderBody('card');
    for (const quantity of [-1, 0, 1.5, 1e9, '1', null, true, [1], { $gt: 0 }])
      expect([quantity, (await preview({ ...body, quantity })).code]).toEqual([quantity, 40001]);
    expect((await user.post('order/preview', '{"goods_id":1,"quantity":NaN}')).code).toBe(40001);
    const ownTotal = await preview({ ...body, quantity: 2, total_amount: '0.01', coupon: 'none' });
    expect(ownTotal.data.total_amount).toBe('20.00');
    await testApp().db.run('update goods set min_qty = 1, max_qty = 10 where id = $1', [card.id]);
    await testApp().db.run('update goods_specs set max_qty = 10 where id = $1', [testApp().spec('card')]);
    expect((await preview({ goods_id: card.id })).code).toBe(ErrorCode.GoodsUnavailable);
    expect((await preview({ goods_id: card.id, spec_id: testApp().spec('manual') })).code).toBe(
      ErrorCode.GoodsUnavailable,
    );
    const values = [undefined, 9, 10, 15, 1000, 1010].map((custom_value) =>
      preview({ goods_id: custom.id, custom_value }),
    );
    const codes = (await Promise.all(values)).map(({ code }) => code);
    expect(codes).toEqual([42221, 42221, 200, 42221, 200, 42221]);
    const dollars = await preview({ goods_id: custom.id, custom_value: 10 }, { currency: 'USD' });
    expect(dollars.code).toBe(ErrorCode.CurrencyNotOffered);
    const { data } = await user.order({ goods_id: custom.id, custom_value: 120, quantity: 2, fields: { uid: '1' } });
    expect((await user.info(data.order_no)).data).toMatchObject({
      total_amount: '24.00',
      snapshot: { unit_price: '0.10', face_value: '120 点', custom_value: 120 },
    });
  });
});
