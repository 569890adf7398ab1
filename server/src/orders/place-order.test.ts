import { ErrorCode } from '@shop/shared/domain';
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
