import { onEveryDatabase } from '../support/test-app';

onEveryDatabase('append-only tables', (testApp) => {
  it.each([
    ['audit_log', "(actor, action) values ('test', 'x')"],
    ['ledger_entries', ''],
    ['ledger_transactions', ''],
    ['live_shop', 'default values'],
    ['order_events', ''],
    [
      'release_events',
      "(id, channel, kind, name, version, why, evidence) values ('x', 'p', 'alert', 'catalog', '1', '', '{}')",
    ],
  ])('append-only rows cannot be changed or deleted in %s', async (table, row) => {
    const { db } = testApp();
    const user = await testApp().user(5000);
    await user.bought();
    const { column } = await db.one<{ column: string }>(
      `select attname as column from pg_attribute where attrelid = $1::text::regclass and attnum > 0 and attidentity = '' limit 1`,
      [table],
    );
    for (const statement of [`update ${table} set ${column} = ${column}`, `delete from ${table}`]) {
      const change = db.withTransaction(async (sql) => {
        if (row) await sql.run(`insert into ${table} ${row}`);
        await sql.run(statement);
      });
      await expect(change).rejects.toThrow(`${table} is append-only`);
    }
  });

  it.each(['audit_log', 'card_codes', 'ledger_entries', 'ledger_transactions', 'order_events', 'order_refunds'])(
    'append-only rows of %s cannot be truncated',
    async (table) => {
      await expect(testApp().db.script(`truncate ${table} cascade`)).rejects.toThrow('append-only');
    },
  );

  it('sold codes cannot be changed or deleted', async () => {
    const user = await testApp().user(5000);
    await user.bought();
    await expect(testApp().db.script('delete from card_codes where state = 2')).rejects.toThrow('append-only');
  });

  it.each([
    ['forget_security_events', '180 days'],
    ['forget_release_events', '30 days'],
  ])('append-only rows are deleted by %s after %s at the earliest', async (name, least) => {
    await expect(testApp().db.one(`select ${name}(now() - interval '${least}' + interval '1 hour')`)).rejects.toThrow(
      least,
    );
    await testApp().db.one(`select ${name}(now() - interval '${least}' - interval '1 hour')`);
  });

  it('an old entry of the audit log keeps all fields except network and session', async () => {
    await testApp().db.run(
      "insert into audit_log (at, actor, action, subject, network) values (now() - interval '1 year', 'test', 'x', 'y', '10.0.0.0/32')",
    );
    for (const change of ["set actor = 'ann', network = null, session = null", "set network = '10.9.9.9/32'"])
      await expect(testApp().db.script(`update audit_log ${change} where actor = 'test'`)).rejects.toThrow(
        'append-only',
      );
  });
});
