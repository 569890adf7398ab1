import { onEveryDatabase } from '../../test/support/test-app';
import { workOf } from '../../test/support/work-of';

onEveryDatabase('order details', (testApp) => {
  const ordered = async () => {
    const user = await testApp().user(5000);
    return { user, order: await user.bought() };
  };

  it('order details of concurrent calls share one statement with the session lookup, and later calls share the next', async () => {
    const { user, order } = await ordered();
    expect((await workOf(() => user.info(order))).statements).toHaveLength(1);
    const purchases = await Promise.all([ordered(), ordered(), ordered()]);
    const answers: Array<{ code: number; data: { order_no: string; cards_count: number } }> = [];
    const { statements } = await workOf(async () => {
      answers.push(
        ...(await Promise.all([...purchases, ...purchases].map((purchase) => purchase.user.info(purchase.order)))),
      );
    });
    expect(answers.map(({ code, data }) => [code, data.order_no, data.cards_count])).toEqual(
      [...purchases, ...purchases].map((purchase) => [200, purchase.order, 1]),
    );
    expect(statements.length).toBeLessThan(answers.length);
  });

  it('order details are refused without a session and never show another user’s order, also in a shared statement', async () => {
    const [first, second] = [await ordered(), await ordered()];
    const noSession = { token: 'x'.repeat(43) };
    const calls = [
      first.user.info(first.order),
      first.user.info(second.order),
      testApp().get(`order/info?order_no=${first.order}`, noSession),
      testApp().get('order/info?order_no=%00', noSession),
      testApp().get('order/info', { token: first.user.token }),
      testApp().get('order/info?order_no=%00%27', { token: first.user.token }),
    ];
    expect((await Promise.all(calls)).map(({ code }) => code)).toEqual([200, 43404, 401, 401, 40001, 40001]);
    await testApp().db.run('delete from sessions where user_id = $1', [first.user.id]);
    expect((await first.user.info(first.order)).code).toBe(401);
    expect((await second.user.info(second.order)).code).toBe(200);
  });
});

const growing = [
  ...['orders', 'order_events', 'card_codes', 'ledger_transactions', 'ledger_entries', 'idempotency_keys'],
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
