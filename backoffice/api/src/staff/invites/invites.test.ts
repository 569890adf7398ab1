import { settleInvitations } from '@shop/server/invitations/rewards.service';
import { refund } from '@shop/server/test/support/money-back';
import { onEveryDatabase, Person } from '@shop/server/test/support/test-app';
import { type StaffMember, signedInStaff } from '../../testing/staff';
import type { StaffInvite, StaffInviteSettings } from './invites.schemas';

const settings: StaffInviteSettings = {
  enabled: true,
  percent: 10,
  orders: 3,
  within_days: 30,
  hold_days: 7,
  people_per_day: 5,
  per_day: { CNY: '50.00', USD: '5.00' },
};

onEveryDatabase('invitations at /staff', (testApp) => {
  let manager: StaffMember;
  let money: StaffMember;
  let phones = 0;
  beforeAll(async () => {
    manager = await signedInStaff(testApp(), 'manager');
    money = await signedInStaff(testApp(), 'money');
  });
  afterEach(() => testApp().check());
  const save = async (value: unknown, by = manager) => {
    const { revision } = (await manager.get('invite-settings/shop')).data;
    return by.post('invite-settings/save', { key: 'shop', revision, value });
  };
  const settle = () => settleInvitations(testApp().context);
  const pass = () =>
    testApp().db.run(
      "update invite_rewards set due_at = clock_timestamp(), settle_at = clock_timestamp() where state = 'waiting'",
    );

  /** Registers by the link of somebody, from an address. */
  async function friendOf(inviter: Person, address: string): Promise<Person> {
    const { invite_code } = (await inviter.get('user/invite')).data;
    const opened = await testApp().post('app/invitation', { invite_code }, { address });
    const [cookie = ''] = String(opened.headers['set-cookie']).split(';');
    const phone = `135${String(++phones).padStart(8, '0')}`;
    await testApp().post('app/send_code', { phone }, { address });
    const body = { phone, password: 'longenough1', verify: await testApp().sentCode(phone) };
    const { data } = await testApp().post('app/register', body, { address, headers: { cookie } });
    const { id } = (await testApp().get('user/info', { token: data.access_token })).data;
    await testApp().db.one("select wallet_post($1, 'CNY', 1, 20000, 0, 'adjustment', null, null, null, '', 'test')", [
      id,
    ]);
    return new Person(testApp(), id, phone, data.access_token);
  }

  it('plays a day: rules, link, registration, orders, a look at what is held, rewards, a refund, the figures', async () => {
    expect((await save(settings)).code).toBe(200);
    const inviter = await testApp().person();
    const friend = await friendOf(inviter, '10.4.0.1');
    const suspect = await friendOf(inviter, '10.4.0.1');
    const orders = [await friend.bought({ quantity: 2 }), await friend.bought(), await suspect.bought()];
    await settle();
    expect((await inviter.get('user/invite')).data).toMatchObject({ people: 2, waiting: '4.00', paid: '0.00' });

    const held: StaffInvite[] = (await money.get('invites?state=held')).data.list;
    expect(held).toEqual([
      expect.objectContaining({
        reasons: ['network'],
        invitee: { id: suspect.id, phone: expect.stringMatching(/^135\*{4}/), sign_in_email: '' },
      }),
    ]);
    await pass();
    await settle();
    expect((await inviter.get('user/info')).data.balance).toBe('3.00');
    expect((await money.post('invites/decide', { id: suspect.id, counts: true })).code).toBe(200);
    expect((await money.post('invites/decide', { id: suspect.id, counts: true })).code).toBe(404);
    await Promise.all([settle(), settle()]);
    expect((await inviter.get('user/info')).data.balance).toBe('4.00');

    await refund(testApp().context, orders[0] ?? '', { quantity: 1 });
    await settle();
    expect((await inviter.get('user/info')).data.balance).toBe('3.00');
    const { sums, ...people } = (await money.get('invites/figures')).data;
    expect(people).toEqual({ counts: 2, held: 0, refused: 0 });
    expect(sums).toEqual([{ currency: 'CNY', waiting: '0.00', paid: '3.00', taken_back: '1.00', owed: '0.00' }]);
    const [released] = (await money.get('invites?state=counts')).data.list as StaffInvite[];
    expect(released).toMatchObject({ decided_by: money.name, invitee: { id: suspect.id } });
    const entries = await testApp().db.rows("select actor, user_id from audit_log where action = 'invitation.release'");
    expect(entries).toEqual([{ actor: `${money.name} (staff)`, user_id: suspect.id }]);
  });

  it('refuses an invitation: what waits lapses, what was paid stays, and later orders bring nothing', async () => {
    await save(settings);
    const inviter = await testApp().person();
    const friend = await friendOf(inviter, '10.4.1.1');
    await friend.bought();
    await settle();
    await pass();
    await settle();
    await friend.bought();
    await settle();
    await Promise.all([money.post('invites/decide', { id: friend.id, counts: false }), pass(), settle()]);
    const { balance } = (await inviter.get('user/info')).data;
    await friend.bought();
    await pass();
    await settle();
    // The second reward was paid or refused, whichever came first.
    expect(['1.00', '2.00']).toContain(balance);
    expect((await inviter.get('user/info')).data.balance).toBe(balance);
  });

  it('takes rules from managers only, within their bounds, and keeps who changed what', async () => {
    await save(settings);
    expect((await save(settings, money)).code).toBe(403);
    for (const wrong of [
      { percent: 0 },
      { percent: 51 },
      { orders: 0 },
      { hold_days: 0 },
      { per_day: { CNY: '0.00', USD: '5.00' } },
      { per_day: { CNY: '1.005', USD: '5.00' } },
    ])
      expect([wrong, (await save({ ...settings, ...wrong })).code]).toEqual([wrong, 40001]);
    expect((await save({ ...settings, percent: 7 })).data.value).toEqual({ ...settings, percent: 7 });
    expect((await manager.get('invite-settings/other')).code).toBe(404);
    const [last] = (await manager.get('invite-settings/shop/history')).data;
    expect(last).toMatchObject({ by: `${manager.name} (staff)`, before: { percent: 10 }, after: { percent: 7 } });
  });
});
