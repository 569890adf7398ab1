import { onEveryDatabase } from '../../test/support/test-app';

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
