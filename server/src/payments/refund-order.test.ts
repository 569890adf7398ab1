import { StripeDouble } from '../../test/support/doubles/stripe';
import { deliver, refund } from '../../test/support/money-back';
import { paying } from '../../test/support/paying';
import { onEveryDatabase, type TestApp, type User } from '../../test/support/test-app';
import { tracesOf } from '../../test/support/traces';
import { withDouble } from '../../test/support/with-double';
import { eraseAccount } from '../accounts/privacy/closure.service';
import { RequestState } from '../platform/db/named-numbers';
import { askPayments, sendRefunds } from './provider-calls.service';

const times = <T>(count: number, work: () => Promise<T>) => Promise.allSettled(Array.from({ length: count }, work));
const codesOf = (testApp: TestApp, orderNo: string) =>
  testApp.db.rows<{ id: number; state: number }>(
    'select c.id, c.state from card_codes c join orders o on o.id = c.order_id where o.order_no = $1 order by c.id',
    [orderNo],
  );

onEveryDatabase('partial refunds', (testApp) => {
  afterEach(() => testApp().check());

  const bought = async (user: User, off = 301) => {
    await user.post('coupon/receive', { coupon_id: await testApp().addCoupon({ reduce: off, min: 500 }) });
    const { data } = await user.order({ quantity: 3 });
    expect((await user.pay(data.order_no)).code).toBe(200);
    return data.order_no as string;
  };
  const refusalOf = (order: string, request?: Parameters<typeof refund>[2]) =>
    refund(testApp().context, order, request).then(
      () => 'done',
      (error: Error) => error.message,
    );
  const couponOf = (user: User) =>
    testApp().db.one<{ use_status: number }>('select use_status from user_coupons where user_id = $1', [user.id]);

  it('a refund by units pays their share of the price after the coupon, and the last unit returns the coupon', async () => {
    const [user, other] = [await testApp().user(10_000), await testApp().user(10_000)];
    const order = await bought(user);
    await bought(other);
    expect(await user.balance()).toBe('73.01');
    const amounts: number[] = [];
    for (let unit = 0; unit < 3; unit++) {
      expect(await couponOf(user)).toEqual({ use_status: 2 });
      amounts.push((await refund(testApp().context, order, { quantity: 1 })).amount);
      const { data } = await user.info(order);
      expect(data).toMatchObject({ status: unit === 2 ? 60 : 30, cards_count: 2 - unit });
    }
    expect(amounts).toEqual([899, 900, 900]);
    expect(await user.balance()).toBe('100.00');
    expect([await couponOf(user), await couponOf(other)]).toEqual([{ use_status: 1 }, { use_status: 2 }]);
    expect((await codesOf(testApp(), order)).map((code) => code.state)).toEqual([3, 3, 3]);
  });

  it('a refund by units voids the codes that staff choose, only of this order and only as many as its units', async () => {
    const [user, other] = [await testApp().user(10_000), await testApp().user(10_000)];
    const [order, otherOrder] = [await bought(user), await bought(other)];
    const idsOf = async (orderNo: string) => (await codesOf(testApp(), orderNo)).map(({ id }) => id);
    const [first = 0, second = 0] = await idsOf(order);
    const [foreign = 0] = await idsOf(otherOrder);
    for (const [quantity, codes] of [
      [1, [foreign]],
      [1, [first, second]],
      [2, [first, first]],
    ] as const)
      expect(await refusalOf(order, { quantity, codes: [...codes] })).toBe('43023');
    await refund(testApp().context, order, { quantity: 1, codes: [first] });
    expect((await codesOf(testApp(), order)).map((code) => code.state)).toEqual([3, 2, 2]);
    expect(await refusalOf(order, { quantity: 1, codes: [first] })).toBe('43023');
    await refund(testApp().context, order, { quantity: 1 });
    expect((await codesOf(testApp(), order)).map((code) => code.state)).toEqual([3, 2, 3]);
  });

  it('a refund repeated under its key returns the first result, even if its unit took the rest of the order', async () => {
    const order = await bought(await testApp().user(10_000));
    await refund(testApp().context, order, { amount: 1800 });
    const unit = { quantity: 1, refund_no: `rest-${order}` };
    const first = await refund(testApp().context, order, unit);
    expect(first).toMatchObject({ amount: 899, quantity: 3 });
    expect(await refund(testApp().context, order, unit)).toEqual(first);
  });

  it.each([
    ['that cost nothing', 3000, [0, 0, 0]],
    ['whose units cost less than a cent', 2999, [0, 0, 1]],
  ])('a refund takes one piece at a time of an order %s', async (_what, off, amounts) => {
    const user = await testApp().user(10_000);
    const order = await bought(user, off);
    for (const [index, amount] of amounts.entries()) {
      expect(await refund(testApp().context, order, { quantity: 1 })).toMatchObject({ amount, quantity: 1 });
      expect((await user.info(order)).data).toMatchObject({ status: index < 2 ? 30 : 60, cards_count: 2 - index });
    }
    expect(await couponOf(user)).toEqual({ use_status: 1 });
  });

  it('a refund by amount is shown in both languages, and the rest can still be refunded in full', async () => {
    const user = await testApp().user(10_000);
    const order = await bought(user);
    expect(await refund(testApp().context, order, { amount: 500 })).toMatchObject({ amount: 500, state: 'done' });
    const { data } = await user.info(order);
    expect(data).toMatchObject({
      status: 30,
      cards_count: 3,
      refunded_amount: '5.00',
      refund: null,
      refunds: [{ amount: '5.00', quantity: 0, target: 'wallet', state: 'done' }],
    });
    expect(data.timeline.at(-1)).toMatchObject({ kind: 'refunded_part', text: '部分退款至钱包 ¥5.00' });
    const { data: english } = await user.get(`order/info?order_no=${order}`, { locale: 'en' });
    expect(english.timeline.at(-1).text).toBe('Partly refunded to your wallet ¥5.00');
    await refund(testApp().context, order);
    expect((await user.info(order)).data).toMatchObject({
      status: 60,
      refunded_amount: '26.99',
      refund: { state: 'refunded' },
    });
    expect(await user.balance()).toBe('100.00');
  });

  it('concurrent refunds never exceed what was paid', async () => {
    const user = await testApp().user(10_000);
    const order = await bought(user);
    const results = await times(8, () => refund(testApp().context, order, { amount: 800 }));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(3);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ message: '43023' });
    expect((await user.info(order)).data).toMatchObject({ status: 30, refunded_amount: '24.00' });
    expect(await refusalOf(order, { amount: 300 })).toBe('43023');
    expect(await refusalOf(order, { quantity: 4 })).toBe('43023');
    for (const amount of [0, -1]) expect(await refusalOf(order, { amount })).toBe('43023');
    const another = await bought(await testApp().user(10_000));
    await refund(testApp().context, another, { quantity: 1 });
    expect(await refusalOf(another, { quantity: 3 })).toBe('43023');
    const post = `select wallet_post(user_id, currency, 2, 300, 0, 'sales', id, null, null, '', 'test')`;
    const beyond = testApp().db.one(`${post} from orders where order_no = $1`, [order]);
    await expect(beyond).rejects.toThrow('beyond what was paid');
  });

  it('a refund is made once under one key, and a key belongs to one refund', async () => {
    const user = await testApp().user(20_000);
    const order = await bought(user);
    const part = { amount: 100, refund_no: `key-${user.id}-1` };
    const results = await times(6, () => refund(testApp().context, order, part));
    expect(results.map((result) => result.status)).toEqual(Array(6).fill('fulfilled'));
    expect((await user.info(order)).data.refunded_amount).toBe('1.00');
    expect(await refusalOf(order, { ...part, amount: 200 })).toBe('40902');
    const other = (await user.order()).data.order_no;
    await user.pay(other);
    expect(await refusalOf(other, part)).toBe('40902');
  });

  it('a refund is refused for an order without money', async () => {
    const user = await testApp().user(10_000);
    const { data } = await user.order();
    expect(await refusalOf(data.order_no)).toBe('43020');
    expect((await user.info(data.order_no)).data.refunds).toEqual([]);
  });

  it('a refunded unit reduces what the supplier delivers, for its order only', async () => {
    const [user, other] = [await testApp().user(10_000), await testApp().user(10_000)];
    await testApp().setCounter(12);
    const selection = { ...testApp().orderBody('direct'), fields: { uid: '1' } };
    const [otherOrder, waiting] = [await other.bought(selection), await other.bought(selection)];
    const { data } = await user.order({ ...selection, quantity: 3 });
    await user.pay(data.order_no);
    await refund(testApp().context, data.order_no, { quantity: 1 });
    expect((await user.info(data.order_no)).data).toMatchObject({ status: 12, refunded_amount: '6.00' });
    expect(await testApp().db.one('select stock from goods_specs where id = $1', [testApp().spec('direct')])).toEqual({
      stock: 8,
    });
    await refund(testApp().context, data.order_no);
    const requests = async () => {
      const rows = await testApp().db.rows<{ state: number }>(
        'select state from supplier_requests r join orders o on o.id = r.order_id where o.order_no = any($1) order by o.id',
        [[otherOrder, waiting, data.order_no]],
      );
      return rows.map(({ state }) => state);
    };
    const { ToSend, Refused, Delivered } = RequestState;
    expect(await requests()).toEqual([ToSend, ToSend, Refused]);
    expect(await deliver(testApp().context, otherOrder)).toBe(true);
    expect(await requests()).toEqual([Delivered, ToSend, Refused]);
    expect(await deliver(testApp().context, otherOrder)).toBe(false);
  });
});

withDouble('refunds to a card', new StripeDouble(), (testApp, stripe) => {
  const { info, balance, askNext, ...shop } = paying(testApp, stripe);
  const paid = async () => shop.paid(await testApp().user(), { quantity: 2 });
  const refunded = (payment: string) =>
    [...stripe.refunds.values()]
      .filter((entry) => entry.payment_intent === stripe.sessionOf(payment).payment_intent)
      .map((entry) => entry.amount);
  afterEach(() => testApp().check());

  it('partial refunds reach the card and leave the wallet empty, also if an answer is lost', async () => {
    const { user, order, payment } = await paid();
    expect(await refund(testApp().context, order, { amount: 70, target: 'source' })).toMatchObject({ state: 'done' });
    stripe.losesAnswers = true;
    expect(await refund(testApp().context, order, { target: 'source' })).toMatchObject({ state: 'pending' });
    stripe.losesAnswers = false;
    expect((await info(user, order)).refunds).toMatchObject([
      { amount: '0.70', target: 'source', state: 'done' },
      { amount: '2.30', target: 'source', state: 'pending' },
    ]);
    await askNext();
    await askPayments(testApp().context);
    const data = await info(user, order);
    expect(data).toMatchObject({ status: 60, refunded_amount: '3.00', refunds: [{}, { state: 'done' }] });
    expect(data.timeline.slice(-2).map((event: { text: string }) => event.text)).toEqual([
      'Partly refunded to your original payment method $0.70',
      'Refunded to your original payment method',
    ]);
    expect(refunded(payment)).toEqual([70, 230]);
    expect(await balance(user)).toBe('0.00');
  });

  it('a refund is sent again after pauses that grow to an hour, and never after it is done', async () => {
    const { context, db } = testApp();
    const { order, payment } = await paid();
    stripe.losesAnswers = true;
    const { refund_no, state } = await refund(context, order, { target: 'source' });
    expect(state).toBe('pending');
    for (const [asks, pause] of [
      [0, 60],
      [1, 120],
      [5, 1920],
      [6, 3600],
      [9, 3600],
    ] as const) {
      await db.run('update payment_refunds set asks = $2 where refund_no = $1', [refund_no, asks]);
      const send = () => expect(sendRefunds(context, refund_no)).rejects.toThrow();
      const isExact = await testApp().isPutOff('ask_at', 'payment_refunds where refund_no', refund_no, pause, send);
      expect([asks, isExact]).toEqual([asks, true]);
    }
    stripe.losesAnswers = false;
    expect(await sendRefunds(context, refund_no)).toBe(1);
    expect(await sendRefunds(context, refund_no)).toBe(0);
    expect(refunded(payment)).toEqual([300]);
  });

  it('an erased buyer’s refunds keep no reason', async () => {
    const { user, order } = await paid();
    await refund(testApp().context, order, { reason: 'promised to Fang', target: 'source' });
    expect(await tracesOf(testApp().db, ['Fang'])).toContain('payment_refunds: Fang');
    await testApp().db.withTransaction((sql) => eraseAccount(sql, user.id, 'ann (staff)', 'asked for it'));
    expect(await tracesOf(testApp().db, ['Fang'])).toEqual([]);
  });

  it('a refund that the provider refuses stays in the wallet and says so', async () => {
    const { user, order, payment } = await paid();
    stripe.refundByHand(payment, 300);
    expect(await refund(testApp().context, order, { quantity: 1, target: 'source' })).toMatchObject({
      state: 'returned',
    });
    const data = await info(user, order);
    expect(data.refunds).toMatchObject([{ amount: '1.50', target: 'source', state: 'returned' }]);
    expect(data.timeline.at(-1).text).toBe('The refund couldn’t be paid out; it is in your wallet $1.50');
    expect(await balance(user)).toBe('1.50');
  });
});
