import { ErrorCode } from '@shop/shared/domain';
import { refund } from '../../test/support/money-back';
import { onEveryDatabase } from '../../test/support/test-app';
import { sha256 } from '../platform/crypto/tokens';
import { createOrder } from './place-order.service';

onEveryDatabase('order_create', (testApp) => {
  it.each<[what: string, change: string, undo: string]>([
    ['the price', 'update prices set price = price + 200', 'update prices set price = price - 200'],
    [
      'a step',
      "insert into price_steps select spec_id, 'CNY', 2, 900 from prices where price = 1000",
      'delete from price_steps',
    ],
    [
      'the level',
      `with l as (insert into levels (key, name_zh, name_en, rank, percent) values ('new', '新', 'New', 1, 95) returning id)
       insert into given_levels (user_id, level_id, given_by) select max(u.id), max(l.id), 'test' from users u, l`,
      'delete from given_levels',
    ],
    ['a coupon', 'update coupon_amounts set reduce_price = 200', 'update coupon_amounts set reduce_price = 300'],
    ['the state of a coupon', 'update coupons set status = 2', 'update coupons set status = 1'],
  ])('order_create does not rely on %s that was read before', async (what, change, undo) => {
    const { db } = testApp();
    const user = await testApp().user();
    const id = await testApp().addCoupon({ reduce: 300 });
    const [{ user_coupon_id }] = (await user.post('coupon/receive', { coupon_id: id })).data;
    const body = { ...testApp().orderBody('card'), quantity: 2, user_coupon_id };
    const { price_version, total_amount } = (await user.post('order/preview', body)).data;
    expect(total_amount).toBe('17.00');
    const retrying = db.retrying.bind(db);
    const placing = jest.spyOn(db, 'retrying').mockImplementationOnce(async (work) => {
      await db.script(change);
      return retrying(work);
    });
    const viewer = { id: user.id, isVip: false, tokenHash: sha256(user.token) };
    const call = { user: user.id, route: 'order', key: what, bodyHash: sha256(''), requestId: '', message: '' };
    const view = { viewer, locale: 'en', currency: 'CNY' } as const;
    const place = () => createOrder(testApp().context, viewer, { ...body, price_version }, view, call, '10.9.9.9');
    const code = what === 'the state of a coupon' ? ErrorCode.CouponNotValidNow : ErrorCode.PriceChanged;
    await expect(place()).rejects.toMatchObject({ code });
    expect(placing).toHaveBeenCalledTimes(1);
    placing.mockRestore();
    await db.script(undo);
    expect((await place()).response).toMatchObject({ data: { total_amount: 1700 } });
  });
});

onEveryDatabase('a purchase', (testApp) => {
  it('a purchase offers the coupon with the largest discount on this order, until it is received', async () => {
    const { db, goods } = testApp();
    const offer = { min: 500, offer: true };
    await testApp().addCoupon({ ...offer, name_zh: '减二', reduce: 200 });
    await testApp().addCoupon({ ...offer, name_zh: '减五', reduce: 500 });
    await testApp().addCoupon({ ...offer, name_zh: '减九', reduce: 900, apply_range: 20 });
    await testApp().addCoupon({ ...offer, name_zh: '减八十', reduce: 8000, min: 9000 });
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

const growing = [
  'orders',
  'order_events',
  'card_codes',
  'ledger_transactions',
  'ledger_entries',
  'idempotency_keys',
  'public_changes',
];

onEveryDatabase('query plans of placing and paying an order', (testApp) => {
  const readWhole = async () => {
    // PostgreSQL has at most ten connections here: each flushes its statistics.
    await Promise.all(Array.from({ length: 10 }, () => testApp().db.rows('select pg_stat_force_next_flush()')));
    const tables = await testApp().db.rows<{ relname: string; rows: number }>(
      'select relname::text, seq_tup_read::bigint as rows from pg_stat_user_tables where relname = any ($1) order by relname',
      [growing],
    );
    return Object.fromEntries(tables.map(({ relname, rows }) => [relname, rows]));
  };

  it('query plans of placing and paying an order never scan a growing table, even when planned while it was small', async () => {
    const buyer = await testApp().user(1_000_000);
    const buy = async () => {
      const { order_no } = (await buyer.order()).data;
      expect((await buyer.pay(order_no)).code).toBe(200);
      return order_no as string;
    };
    // The plans are made while the tables are small, and stay cached while they grow.
    await testApp().db.script('vacuum analyze');
    for (let turn = 0; turn < 8; turn++) await buy();
    const before = await readWhole();
    for (let turn = 0; turn < 8; turn++) await buy();
    expect(await readWhole()).toEqual(before);
  });

  it('query plans of placing and paying an order are not JIT-compiled when a full scan makes them look expensive', async () => {
    const compiled = await testApp().db.rows(
      `select proname::text from pg_proc
        where 'enable_seqscan=off' = any (proconfig) and 'plan_cache_mode=force_generic_plan' = any (proconfig)
          and not 'jit=off' = any (proconfig)`,
    );
    expect(compiled).toEqual([]);
  });
});

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
