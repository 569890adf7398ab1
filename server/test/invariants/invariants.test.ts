import { repetitions } from '../../../scripts/jest/test-scale';
import { closeUnpaid } from '../../src/jobs/jobs';
import { refund } from '../support/money-back';
import { type ApiAnswer, onEveryDatabase } from '../support/test-app';
import { countsOf, times } from '../support/times';

const codes = (answers: ApiAnswer[]) => countsOf(answers.map(({ code }) => code));

onEveryDatabase('money', (testApp) => {
  afterEach(() => testApp().check());

  it('fifty concurrent orders with money for three pay exactly three', async () => {
    const user = await testApp().user(3000);
    const orders: string[] = [];
    for (let index = 0; index < 10; index++) {
      const batch = await times(5, () => user.order());
      for (const { data } of batch) orders.push(data.order_no);
      // The limit on unpaid orders is not about money, so this hides the orders to permit the next five.
      await testApp().db.run('update orders set hidden_at = now() where user_id = $1 and status = 10', [user.id]);
    }
    const answers = await times(50, (index) => user.pay(orders[index] as string));
    expect(codes(answers)).toEqual({ 200: 3, 45001: 47 });
    expect(await user.balance()).toBe('0.00');
  });

  it('a replayed idempotency key returns the identical body; another body gets 40902, a concurrent call 40901', async () => {
    const user = await testApp().user(5000);
    const body = testApp().orderBody('card');
    const { price_version } = (await user.post('order/preview', body)).data;
    const key = 'same-key-1';
    const first = await user.post('order/create', { ...body, price_version }, { key });
    const replay = await user.post('order/create', { price_version, ...body }, { key });
    expect(replay.text).toBe(first.text);
    expect(await user.post('order/create', { ...body, quantity: 2, price_version }, { key })).toMatchObject({
      code: 40902,
    });
    const answers = await times(8, () => user.post('order/create', { ...body, price_version }, { key: 'same-key-2' }));
    expect(codes(answers)[200]).toBeGreaterThanOrEqual(1);
    expect(Object.keys(codes(answers)).every((code) => code === '200' || code === '40901')).toBe(true);
    expect(codes(answers)[40901]).toBeGreaterThanOrEqual(1);
    expect(new Set(answers.filter((answer) => answer.code === 200).map((answer) => answer.data.order_no)).size).toBe(1);
    expect((await user.get('order/list')).data.total).toBe(2);
  });

  it.each([
    ['recharge/create', { amount: '10.00', method: 'sandbox' }, 200],
    ['recharge/create', { amount: '0.01', method: 'sandbox' }, 45020],
    ['coupon/receive', { coupon_id: 999_999 }, 44404],
    ['payment/balance', { order_no: 'A'.repeat(20) }, 43404],
  ])('%s with %j runs once: a repeated key returns the first response, in its language', async (url, body, code) => {
    const user = await testApp().user();
    const key = 'kept-response';
    const first = await user.post(url, body, { key, locale: 'en' });
    expect(first.code).toBe(code);
    expect((await user.post(url, body, { key, locale: 'zh-CN' })).text).toBe(first.text);
    expect((await user.post(url, { ...body, more: 1 }, { key })).code).toBe(40902);
  });

  it('an idempotency key is required, and keys of different users and routes are independent', async () => {
    const [first, second] = [await testApp().user(1000), await testApp().user(1000)];
    const { data } = await first.order();
    expect(await testApp().post('payment/balance', data, { token: first.token })).toMatchObject({ code: 40001 });
    expect(await second.post('payment/balance', { order_no: data.order_no }, { key: 'shared-key' })).toMatchObject({
      code: 43404,
    });
    expect(await first.post('payment/balance', { order_no: data.order_no }, { key: 'shared-key' })).toMatchObject({
      code: 200,
    });
  });

  it('the ledger refuses entries that do not sum to zero', async () => {
    const user = await testApp().user(1000);
    const lone = testApp().db.withTransaction(async (sql) => {
      const { id } = await sql.one<{ id: number }>(
        'insert into ledger_transactions (type, user_id) values (1, $1) returning id',
        [user.id],
      );
      await sql.run(
        "insert into ledger_entries (transaction_id, user_id, account, currency, amount, balance_after) values ($1, $2, 'available', 'CNY', 5, 1005)",
        [id, user.id],
      );
    });
    await expect(lone).rejects.toThrow('does not sum to zero');
  });

  it('a refund request sees the order’s current state, even during its delivery', async () => {
    const user = await testApp().user(5000);
    const orderNo = await user.bought(testApp().orderBody('manual'));
    const { refundRequest } = await testApp().db.withTransaction(async (sql) => {
      await sql.one("select order_deliver(id, '', 'test') from orders where order_no = $1", [orderNo]);
      const refundRequest = user.post('order/refundApply', { order_no: orderNo, reason: '不想要了' });
      // With several connections the request reads the order now, and waits for its row.
      const isWaiting = () => testApp().db.row('select 1 from pg_locks where not granted');
      while (testApp().kind === 'postgres' && !(await isWaiting()));
      return { refundRequest };
    });
    expect((await refundRequest).data).toMatchObject({ refund_state: 'requested', status: 30, delivery_status: 20 });
    const events = await testApp().db.rows(
      `select kind, e.status, e.delivery_status from order_events e join orders o on o.id = e.order_id
        where order_no = $1 order by e.id`,
      [orderNo],
    );
    expect(events.slice(-2)).toEqual([
      { kind: 'delivered', status: 30, delivery_status: 20 },
      { kind: 'refund_requested', status: 30, delivery_status: 20 },
    ]);
  });
});

onEveryDatabase('stock', (testApp) => {
  afterEach(() => testApp().check());

  it('the last unit is sold to one of twenty buyers', async () => {
    await testApp().setStock(1);
    const buyers = await times(20, () => testApp().user(5000));
    const answers = await Promise.all(buyers.map((user) => user.order()));
    expect(codes(answers)).toEqual({ 200: 1, 42220: 19 });
    const winner = answers.findIndex((answer) => answer.code === 200);
    const buyer = buyers[winner];
    expect((await buyer?.pay(answers[winner]?.data.order_no))?.data).toMatchObject({ status: 30 });
    await testApp().setStock(200);
  });

  it('goods without codes are counted down, and a cancelled unit is returned', async () => {
    const buyers = await times(8, () => testApp().user(5000));
    const body = { ...testApp().orderBody('direct'), fields: { uid: '10001' } };
    const manualSpec = testApp().spec('manual');
    await testApp().setCounter(7, 'manual');
    const answers = await Promise.all(buyers.map((user) => user.order(body)));
    expect(codes(answers)).toEqual({ 200: 5, 42220: 3 });
    const index = answers.findIndex((answer) => answer.code === 200);
    const stockOf = (spec: number) => testApp().db.one('select stock from goods_specs where id = $1', [spec]);
    const orderNo = answers[index]?.data.order_no;
    for (const code of [200, 43021])
      expect((await buyers[index]?.post('order/cancel', { order_no: orderNo }))?.code).toBe(code);
    const close = "select order_close(id, 2, 'test') as closed from orders where order_no = $1";
    const stockNow = await testApp().db.one(close, [orderNo]);
    expect([stockNow, await stockOf(body.spec_id)]).toEqual([{ closed: false }, { stock: 1 }]);
    expect(await stockOf(manualSpec)).toEqual({ stock: 7 });
    await testApp().setCounter(null, 'manual');
    expect((await buyers[7]?.order(body))?.code).toBe(200);
    await testApp().setCounter(1000);
  });

  it('a voided or sold code is never sold again', async () => {
    const user = await testApp().user(5000);
    const orderNo = await user.bought();
    const change = (set: string) =>
      testApp().db.run(`update card_codes set ${set} where order_id = (select id from orders where order_no = $1)`, [
        orderNo,
      ]);
    await expect(change('state = 0, order_id = null')).rejects.toThrow('is sold');
    await change('state = 3');
    await expect(change('state = 0, order_id = null')).rejects.toThrow('is voided');
    await refund(testApp().context, orderNo);
  });
});

onEveryDatabase('expiry and payment', (testApp) => {
  afterEach(() => testApp().check());

  it('exactly one of expiry and payment wins, in every round', async () => {
    const [rounds, buyers] = [repetitions(40), await times(25, () => testApp().user(1_000_000))];
    await testApp().addStock(rounds * buyers.length);
    const body = testApp().orderBody('card');
    const { price_version } = (await buyers[0]?.post('order/preview', body))?.data ?? {};
    const ended = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      const orders = await Promise.all(
        buyers.map(async (user) => (await user.post('order/create', { ...body, price_version })).data.order_no),
      );
      const expire = async () => {
        await testApp().db.run(
          'update orders set expire_at = clock_timestamp() where order_no = any($1) and status = 10',
          [orders],
        );
        await closeUnpaid(testApp().db);
      };
      const pay = async () => {
        const answers = await Promise.all(buyers.map((user, index) => user.pay(orders[index])));
        for (const [index, { code }] of answers.entries()) ended.set(orders[index], code);
      };
      if (round % 4 === 0) await pay().then(expire);
      else if (round % 4 === 1) await expire().then(pay);
      else await Promise.all(round % 2 ? [expire(), pay()] : [pay(), expire()]);
    }
    await closeUnpaid(testApp().db);
    const rows = await testApp().db.rows<{ order_no: string; status: number; closed: boolean; close_reason: number }>(
      'select order_no, status, closed_at is not null as closed, close_reason from orders where order_no = any($1)',
      [[...ended.keys()]],
    );
    expect(rows).toHaveLength(rounds * buyers.length);
    const expected = { 200: [30, false, 0], 43021: [10, true, 1] } as Record<number, unknown>;
    const wrong = rows.filter(
      ({ order_no, status, closed, close_reason }) =>
        String([status, closed, close_reason]) !== String(expected[ended.get(order_no) ?? 0]),
    );
    expect(wrong).toEqual([]);
    const counts = countsOf(ended.values());
    expect(Math.min(counts[200] ?? 0, counts[43021] ?? 0)).toBeGreaterThanOrEqual(rows.length / 4);
    await testApp().setStock(200);
  });

  it('money that arrives for an expired order goes into the wallet, and reading the order closes it and releases the code', async () => {
    const user = await testApp().user();
    const { data: order } = await user.order();
    const { data } = await user.post('payment/online', { order_no: order.order_no, method: 'sandbox' });
    await testApp().expire(order.order_no);
    const notice = testApp().paidNotice(data.payment_no, 1000);
    expect((await testApp().post('payment/callback/sandbox', notice)).data).toEqual({ result: 'wallet' });
    expect(await user.balance()).toBe('10.00');
    const held = 'select 1 from card_codes where order_id = (select id from orders where order_no = $1)';
    expect(await testApp().db.row(held, [order.order_no])).toBeDefined();
    expect((await user.info(order.order_no)).data).toMatchObject({ status: 10, close_reason: 1 });
    expect(await testApp().db.row(held, [order.order_no])).toBeUndefined();
  });
});

onEveryDatabase('coupons', (testApp) => {
  afterEach(() => testApp().check());
  it('a coupon is received once under twenty attempts', async () => {
    const id = await testApp().addCoupon({ reduce: 100 });
    const user = await testApp().user();
    const answers = await times(20, () => user.post('coupon/receive', { coupon_id: id }));
    expect(codes(answers)).toEqual({ 200: 1, 44001: 19 });
  });

  it('a coupon is used by one of twenty orders, and returned when that order closes', async () => {
    const user = await testApp().user(100_000);
    const [received] = (await user.post('coupon/receive', { coupon_id: await testApp().addCoupon({ reduce: 300 }) }))
      .data;
    const { user_coupon_id } = received;
    await user.post('coupon/receive', { coupon_id: await testApp().addCoupon({ reduce: 200 }) });
    const answers = await times(20, () => user.order({ spec_id: testApp().spec('card'), user_coupon_id }));
    expect(codes(answers)[200]).toBe(1);
    const won = answers.find((answer) => answer.code === 200) as ApiAnswer;
    expect(won.data.total_amount).toBe('7.00');
    expect((await user.get('coupon/getUserCouponList?status=2')).data).toHaveLength(1);
    await user.post('order/cancel', { order_no: won.data.order_no });
    expect((await user.get('coupon/getUserCouponList?status=1')).data).toHaveLength(2);
  });

  it('discounts from 0.1 to 9.9 are rounded half up, compared with an exact oracle', async () => {
    const amounts = [1, 3, 5, 49, 50, 51, 99, 100, 101, 333, 999, 1005, 12_345, 99_999_999];
    const rows = await testApp().db.rows<{ tenths: number; amount: number; off: number }>(
      `select t as tenths, a as amount, coupon_discount(20, 0, t, a) as off
         from generate_series(1, 99) t, unnest(array[${amounts.join(',')}]::bigint[]) a`,
    );
    expect(rows).toHaveLength(99 * amounts.length);
    for (const { tenths, amount, off } of rows) {
      const doubled = BigInt(amount) * BigInt(tenths) * 2n + 100n; // round-half-up(amount × N / 10), N in tenths
      expect([tenths, amount, BigInt(amount - off)]).toEqual([tenths, amount, doubled / 200n]);
    }
  });

  it('the largest discount is selected, then the earliest expiry, and other coupons have a reason', async () => {
    const user = await testApp().user(100_000);
    for (const options of [
      { reduce: 200 },
      { coupon_type: 20, discount_tenths: 70 },
      { reduce: 100, min: 99_999 },
      { reduce: 900, currency: 'USD' },
    ]) {
      await user.post('coupon/receive', { coupon_id: await testApp().addCoupon(options) });
    }
    const body = testApp().orderBody('card');
    const { data } = await user.post('order/preview', body);
    expect(data).toMatchObject({ coupon_discount: '3.00', total_amount: '7.00', coupon: { coupon_type: 20 } });
    expect(data.available).toHaveLength(2);
    expect(data.unavailable.map((coupon: { code: number }) => coupon.code).sort()).toEqual([44004, 44007]);
    expect((await user.post('order/preview', { ...body, coupon: 'none' })).data.total_amount).toBe('10.00');
  });

  it('an unpaid order names its coupon, which is offered again after a cancellation', async () => {
    const user = await testApp().user();
    await user.post('coupon/receive', { coupon_id: await testApp().addCoupon({ reduce: 200 }) });
    const body = testApp().orderBody('card');
    const first = await user.order(body);
    expect(first.data.total_amount).toBe('8.00');
    const secondPreview = (await user.post('order/preview', body)).data;
    expect(secondPreview).toMatchObject({
      total_amount: '10.00',
      coupon: null,
      available: [],
      unavailable: [{ code: 44008 }],
    });
    const chosen = { ...body, user_coupon_id: secondPreview.unavailable[0].user_coupon_id };
    expect((await user.post('order/preview', chosen)).code).toBe(44008);
    await user.post('order/cancel', { order_no: first.data.order_no });
    const { data } = await user.post('order/preview', body);
    expect(data).toMatchObject({ total_amount: '8.00', unavailable: [] });
  });

  it('a coupon code is accepted in any case and width, and wrong ones are limited', async () => {
    await testApp().addCoupon({ reduce: 100, redeem_code: 'HELLO2026' });
    const user = await testApp().user();
    expect((await user.post('coupon/receiveByCode', { code: ' ｈello２０２６ ' })).code).toBe(200);
    const answers = await times(12, (index) => user.post('coupon/receiveByCode', { code: `WRONG${index}` }));
    expect(codes(answers)).toEqual({ 44404: 10, 42901: 2 });
  });
});
