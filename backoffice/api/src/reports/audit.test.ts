import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { signedInStaff, withStaff } from '../testing/staff';
import type { StaffAuditEntry, StaffAuditPage } from './audit.routes';

onEveryDatabase('the audit page of /staff', (testApp) => {
  const manager = withStaff(testApp, 'manager');
  const page = async (query: Record<string, string> = {}): Promise<StaffAuditPage> =>
    (await manager.get(`audit?${new URLSearchParams(query)}`)).data;
  const newest = async (query: Record<string, string> = {}) => (await page(query)).entries[0] as StaffAuditEntry;

  it('the audit log shows who changed what and when, with before and after, and no action of a shopper', async () => {
    const member = await signedInStaff(testApp(), 'seller');
    await manager.post('people/change', { name: member.name, role: 'money' });
    expect(await newest()).toEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      actor: manager.actor,
      action: 'staff.change',
      subject: member.name,
      user_id: null,
      network: `${manager.address}/32`,
      before: { role: 'seller', disabled: false },
      after: { role: 'money', disabled: false },
      detail: {},
    });
    await testApp().db.run("insert into audit_log (actor, action) values ('user', 'session.open')");
    expect((await newest()).action).toBe('staff.change');
    expect(await newest({ kind: 'audit' })).toMatchObject({ action: 'audit.view', actor: manager.actor });
  });

  it('the audit log is filtered by user, including their release actions, and by kind', async () => {
    const ann = await signedInStaff(testApp(), 'seller');
    const { id } = await testApp().user();
    await ann.get(`shopper/${id}`);
    const user = ann.name;
    const actions = async (query: Record<string, string>) =>
      (await page({ user, ...query })).entries.map((entry) => entry.action);
    expect(await actions({})).toEqual(['person.view', 'session.open', 'staff.setup', 'session.open']);
    expect(await actions({ kind: 'person' })).toEqual(['person.view']);
    expect((await newest({ user, kind: 'person' })).user_id).toBe(id);
    await testApp().db.run(
      "insert into audit_log (actor, action) values ($1, 'release.promote'), ($2, 'release.promote')",
      [`${user} (ops)`, `${user} (squad, key)`],
    );
    expect(await actions({ kind: 'release' })).toEqual(['release.promote']);
    expect(await actions({})).toHaveLength(5);
    for (const wrong of ['from=yesterday', 'kind=%25', 'before=0'])
      expect((await manager.get(`audit?${wrong}`)).code).toBe(40001);
    expect((await manager.get('audit?from=2026-02-30')).code).toBe(46060);
  });

  it('the audit log is filtered by days of the shop’s time zone', async () => {
    testApp().context.config.timeZone = 'Australia/Lord_Howe';
    const [start, stop] = ['2026-04-04T13:00Z', '2026-04-05T13:30Z'].map(Date.parse) as [number, number];
    await testApp().db.run(
      "insert into audit_log (actor, action, at) select 'Zone (staff)', 'order.view', unnest($1::timestamptz[])",
      [[start - 1, start, stop - 1, stop].map((ms) => new Date(ms))],
    );
    const { entries } = await page({ user: 'Zone', from: '2026-04-05', to: '2026-04-05' });
    expect(entries.map(({ at }) => Date.parse(at))).toEqual([stop - 1, start]);
  });

  it('the audit log is paged by key: each entry appears once, also while more arrive', async () => {
    const add = (count: number) =>
      testApp().db.run(
        "insert into audit_log (actor, action, subject) select $1, 'order.view', n::text from generate_series(1, $2::integer) n",
        ['Paged (staff)', count],
      );
    await add(120);
    const seen: number[] = [];
    let next: number | null = null;
    do {
      const answer: StaffAuditPage = await page({ user: 'Paged', ...(next && { before: String(next) }) });
      seen.push(...answer.entries.map((entry) => entry.id));
      next = answer.next;
      if (seen.length < 60) await add(3);
    } while (next);
    expect(seen).toHaveLength(120);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
  });

  it('the audit log masks phones and emails, which the user’s page shows', async () => {
    await testApp().db.run(
      `insert into audit_log (actor, action, subject, detail)
       values ('Masking (staff)', 'enquiry.close', '13912345678', '{"answer": "wrote to somebody@example.com, 13912345678"}')`,
    );
    expect(await newest({ user: 'Masking' })).toMatchObject({
      subject: '139****5678',
      detail: { answer: 'wrote to so***@example.com, 139****5678' },
    });
  });
});
