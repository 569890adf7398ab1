import { onEveryDatabase } from '../../test/support/test-app';
import { addEntry } from '../platform/audit/audit';
import { healthStore } from './health-store';
import { readMarks, recordServer, serverVersion } from './marks';

onEveryDatabase('marks of what is not a release', (testApp) => {
  // Nobody empties the audit log: each test has an actor of its own.
  beforeEach(() => testApp().ownerScript('truncate release_webhooks, release_events'));
  const marks = async (actor = '', minutes = 30) =>
    (await readMarks(testApp().db, 'production', minutes)).filter(({ by }) => by.startsWith(actor));
  const enter = (actor: string, action: string, subject: string) => addEntry(testApp().db, { actor, action, subject });
  const start = (version: string) => recordServer(healthStore(testApp().db), 'production', version);

  it('are edits of products, banners and coupons, and imports; what is done to shoppers and orders is none', async () => {
    await enter('ann (staff)', 'banner.edit', 'home-1');
    await enter('ann (staff)', 'coupon.edit', 'spring');
    await enter('ann (cli)', 'import', 'prices.json');
    await enter('ann (staff)', 'order.refund', '2026112400001');
    await enter('ann (staff)', 'person.view', '12');
    await enter('user', 'account.close', '12');
    expect((await marks('ann')).map(({ kind, subject, by, count }) => [kind, subject, by, count]).sort()).toEqual([
      ['banner.edit', 'home-1', 'ann (staff)', 1],
      ['coupon.edit', 'spring', 'ann (staff)', 1],
      ['import', 'prices.json', 'ann (cli)', 1],
    ]);
  });

  it('are one where somebody changes many things in a minute', async () => {
    await testApp().db.withTransaction(async (sql) => {
      for (let product = 0; product < 40; product += 1)
        await sql.run(
          `insert into audit_log (at, actor, action, subject) values (date_trunc('minute', now()) + $1 * interval '1 second', 'price-change', 'goods.edit', $2)`,
          [product, `product-${product}`],
        );
    });
    expect(await marks('price-change')).toMatchObject([{ kind: 'goods.edit', subject: 'product-0', count: 40 }]);
  });

  it('are of the minutes that are asked for, newest first', async () => {
    for (const [minutes, subject] of [
      [40, 'old'],
      [20, 'middle'],
      [1, 'new'],
    ] as const)
      await testApp().db.run(
        `insert into audit_log (at, actor, action, subject) values (now() - $1 * interval '1 minute', 'ben', 'goods.edit', $2)`,
        [minutes, subject],
      );
    expect((await marks('ben')).map(({ subject }) => subject)).toEqual(['new', 'middle']);
  });

  it('a server of another version is one, also when it is the one of before; servers of the same version are none', async () => {
    await start('1.0.0-a');
    await Promise.all([start('1.0.0-b'), start('1.0.0-b'), start('1.0.0-b')]);
    await start('1.0.0-b');
    await start('1.0.0-a');
    const rows = await testApp().db.rows<{ version: string; why: string }>(
      "select version, why from release_events where kind = 'server' order by at",
    );
    expect(rows).toEqual([
      { version: '1.0.0-a', why: '' },
      { version: '1.0.0-b', why: 'after 1.0.0-a' },
      { version: '1.0.0-a', why: 'after 1.0.0-b' },
    ]);
    expect((await marks()).filter(({ kind }) => kind === 'server').length).toBeGreaterThan(0);
  });
});

it('a server is named by its program', () => {
  expect(serverVersion(__filename)).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{8}$/);
  expect(serverVersion(__filename)).not.toBe(serverVersion(require.resolve('./marks')));
});
