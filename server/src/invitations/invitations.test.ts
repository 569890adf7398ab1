import { refund } from '../../test/support/money-back';
import { onBothDatabases, Person } from '../../test/support/test-app';
import { bindInvitation } from '../accounts/invitations/bind-invitation.service';
import { exportFile } from '../accounts/privacy/export.service';
import { takeNotice } from '../payments/payments.service';
import { settleInvitations } from './rewards.service';

let numbers = 0;
const newPhone = () => `136${String(++numbers).padStart(8, '0')}`;

onBothDatabases('invitations', (testApp) => {
  const db = () => testApp().db;
  const settle = () => settleInvitations(testApp().context);
  /** 10 % of the first two orders within 90 days, held for 15 days. */
  const count = (over = {}) =>
    db().withTransaction(async (sql) => {
      const value = {
        ...{ enabled: true, percent: 10, orders: 2, within_days: 90, hold_days: 15, people_per_day: 10 },
        ...{ cny_per_day: 10_000, usd_per_day: 1500 },
        ...over,
      };
      await sql.run('delete from invite_settings');
      await sql.run(
        `insert into invite_settings select * from jsonb_populate_record(null::invite_settings, $1::jsonb || '{"id": true}')`,
        [JSON.stringify(value)],
      );
    });
  const codeOf = async ({ id }: { id: number }) =>
    (await db().one<{ invite_code: string }>('select invite_code from users where id = $1', [id])).invite_code;

  interface Registration {
    inviteCode?: string;
    /** Cookies of the browser. */
    cookie?: string;
    address?: string;
    balance?: number;
  }
  async function register({ inviteCode, cookie, address, balance = 0 }: Registration): Promise<Person> {
    const phone = newPhone();
    const from = address ?? `10.8.${numbers >> 8}.${numbers & 255}`;
    await testApp().post('app/send_code', { phone }, { address: from });
    const body = { phone, password: 'longenough1', verify: await testApp().sentCode(phone), invite_code: inviteCode };
    const answer = await testApp().post('app/register', body, { address: from, headers: cookie ? { cookie } : {} });
    expect([answer.code, answer.message]).toEqual([200, expect.any(String)]);
    const { id } = await db().one<{ id: number }>('select id from users where phone = $1', [phone]);
    const person = new Person(testApp(), id, phone, answer.data.access_token);
    if (balance > 0)
      await db().one("select wallet_post($1, 'CNY', 1, $2, 0, 'adjustment', null, null, null, '', 'test')", [
        id,
        balance,
      ]);
    return person;
  }
  const invitationOf = ({ id }: Person) =>
    db().row<{ inviter_id: number; state: string; reasons: string[] }>(
      'select inviter_id, state, reasons from invitations where invitee_id = $1',
      [id],
    );
  /** An inviter and whoever came by their code, with money to spend. */
  async function pair(balance = 10_000): Promise<[inviter: Person, invitee: Person]> {
    const inviter = await testApp().person();
    return [inviter, await register({ inviteCode: await codeOf(inviter), balance })];
  }
  /** The time for refunds has passed for all that waits. */
  const pass = () =>
    db().run(
      "update invite_rewards set due_at = clock_timestamp(), settle_at = clock_timestamp() where state = 'waiting'",
    );
  const balanceOf = async (person: Person) => (await person.get('user/info')).data.balance;
  const rewardsOf = ({ id }: Person) =>
    db().rows<{ state: string; amount: number; paid: number; taken_back: number }>(
      'select state, amount, paid, taken_back from invite_rewards where inviter_id = $1 order by id',
      [id],
    );

  beforeEach(() => count());
  afterEach(() => testApp().check());

  it('do nothing while they are off: no code is shown, nobody is bound, nothing is booked or paid', async () => {
    const [inviter, earlier] = await pair();
    await earlier.bought();
    await settle();
    await count({ enabled: false });
    expect((await inviter.get('user/info')).data.invite_code).toBe('');
    for (const path of ['user/invite', 'user/invite/people']) expect((await inviter.get(path)).code).toBe(404);
    expect((await testApp().post('app/invitation', { invite_code: await codeOf(inviter) })).code).toBe(404);
    const late = await register({ inviteCode: await codeOf(inviter), balance: 5000 });
    await late.bought();
    await earlier.bought();
    await pass();
    await settle();
    expect(await invitationOf(late)).toBeUndefined();
    expect(await rewardsOf(inviter)).toEqual([{ state: 'waiting', amount: 100, paid: 0, taken_back: 0 }]);
    expect(await balanceOf(inviter)).toBe('0.00');
  });

  it('bind whoever has opened the link when they register later, by a code that signs in too', async () => {
    const inviter = await testApp().person();
    const opened = await testApp().post('app/invitation', { invite_code: (await codeOf(inviter)).toLowerCase() });
    expect(opened.data).toEqual({ percent: 10, orders: 2, within_days: 90 });
    const cookie = String(opened.headers['set-cookie']);
    expect(cookie).toMatch(/^invitation=\w{8}; .*Path=\/api\/front\/app; .*HttpOnly; .*SameSite=Strict/);
    const phone = newPhone();
    const address = '10.9.99.1';
    await testApp().post('app/send_code', { phone }, { address });
    const body = { phone, login_type: 'verify', verify: await testApp().sentCode(phone) };
    const [pairOfCookie = ''] = cookie.split(';');
    const signedIn = await testApp().post('app/login', body, { address, headers: { cookie: pairOfCookie } });
    const { data } = await testApp().get('user/info', { token: signedIn.data.access_token });
    expect(await invitationOf({ id: data.id } as Person)).toMatchObject({ inviter_id: inviter.id, state: 'counts' });
    // An account that is there already is not bound by signing in.
    const known = await testApp().person(0, 'longenough1');
    await testApp().post(
      'app/login',
      { phone: known.phone, password: 'longenough1', login_type: 'password' },
      { headers: { cookie: pairOfCookie } },
    );
    expect(await invitationOf(known)).toBeUndefined();
  });

  it('are tried sixty times an hour by one network, by a link or while registering', async () => {
    const from = { address: '203.0.113.60' };
    const opened = () => testApp().post('app/invitation', { invite_code: 'NOSUCH00' }, from);
    const registered = () => {
      const body = { phone: newPhone(), password: 'longenough1', verify: '000000', invite_code: 'NOSUCH00' };
      return testApp().post('app/register', body, from);
    };
    for (let turn = 0; turn < 30; turn++)
      expect([(await opened()).code, (await registered()).code]).toEqual([41009, 41009]);
    expect([(await opened()).code, (await registered()).code]).toEqual([42901, 42901]);
  });

  it('refuse a code that there is not, and a person is bound once and never to themselves', async () => {
    expect((await testApp().post('app/invitation', { invite_code: 'NOSUCH00' })).code).toBe(41009);
    const [inviter, invitee] = await pair();
    const other = await testApp().person();
    const arrival = { inviteeId: invitee.id, address: '10.7.7.7', device: null };
    await db().withTransaction((sql) => bindInvitation(sql, { ...arrival, inviterId: other.id }));
    await db().withTransaction((sql) => bindInvitation(sql, { ...arrival, inviterId: invitee.id }));
    await db().withTransaction((sql) => bindInvitation(sql, { ...arrival, inviteeId: other.id, inviterId: other.id }));
    expect((await invitationOf(invitee))?.inviter_id).toBe(inviter.id);
    expect(await invitationOf(other)).toBeUndefined();
  });

  it('are refused on the inviter’s own device, and held on one that another account has used', async () => {
    const device = (letter: string) => `device=${letter.repeat(43)}`;
    const inviter = await register({ cookie: device('a') });
    const inviteCode = await codeOf(inviter);
    const self = await register({ inviteCode, cookie: device('a') });
    expect(await invitationOf(self)).toMatchObject({ state: 'refused', reasons: ['own-device'] });
    expect((await invitationOf(await register({ inviteCode, cookie: device('b') })))?.state).toBe('counts');
    const second = await register({ inviteCode, cookie: device('b') });
    expect(await invitationOf(second)).toMatchObject({ state: 'held', reasons: ['device'] });
  });

  it('are held from a network of the inviter’s family, as a ring would come, and beyond the people of a day', async () => {
    const inviter = await register({ address: '10.6.0.1' });
    const inviteCode = await codeOf(inviter);
    expect((await invitationOf(await register({ inviteCode, address: '10.6.0.1' })))?.reasons).toEqual(['network']);
    const first = await register({ inviteCode, address: '10.6.0.2' });
    // Whom the first one invites from the network of the inviter.
    const ring = await register({ inviteCode: await codeOf(first), address: '10.6.0.1' });
    expect((await invitationOf(ring))?.reasons).toEqual(['network']);
    await count({ people_per_day: 2 });
    expect((await invitationOf(await register({ inviteCode })))?.reasons).toEqual(['day']);
  });

  it('count the people of a day one by one when they register at once', async () => {
    await count({ people_per_day: 2 });
    const inviteCode = await codeOf(await testApp().person());
    const people = await Promise.all(Array.from({ length: 5 }, () => register({ inviteCode })));
    const states = await Promise.all(people.map(async (one) => (await invitationOf(one))?.state));
    expect(states.filter((state) => state === 'counts')).toHaveLength(2);
  });

  it('pay a share of the first orders once the time for refunds has passed, once, however many processes pay', async () => {
    const [inviter, invitee] = await pair();
    for (let order = 0; order < 3; order++) await invitee.bought({ quantity: 1 + order });
    await Promise.all([settle(), settle(), settle()]);
    expect(await rewardsOf(inviter)).toMatchObject([
      { state: 'waiting', amount: 100 },
      { state: 'waiting', amount: 200 },
    ]);
    expect(await balanceOf(inviter)).toBe('0.00');
    await pass();
    await Promise.all(Array.from({ length: 5 }, settle));
    await settle();
    expect(await balanceOf(inviter)).toBe('3.00');
    const { data } = await inviter.get('user/balanceLog?type=7');
    expect(data).toMatchObject({ total: 2, summary: { income: '3.00' } });
    // The order is somebody else's.
    for (const row of data.list) expect(row).not.toHaveProperty('order_no');
    const own = (await inviter.get('user/invite')).data;
    expect(own).toMatchObject({ people: 1, waiting: '0.00', paid: '3.00', taken_back: '0.00', per_day: '100.00' });
    const { list } = (await inviter.get('user/invite/people')).data;
    expect(list).toMatchObject([{ name: `玩***${invitee.phone.slice(-2)}`, state: 'counts', counted: 2, orders: 2 }]);
    expect(list[0].rewards).toEqual([{ currency: 'CNY', waiting: '0.00', paid: '3.00' }]);
    expect(JSON.stringify(list)).not.toContain(invitee.phone);
    expect((await invitee.get('user/invite/people')).data.list).toEqual([]);
  });

  it('pay less after a part of the order is refunded, and nothing after all of it is', async () => {
    const [inviter, invitee] = await pair();
    const [first, second] = [await invitee.bought({ quantity: 3 }), await invitee.bought()];
    await settle();
    await refund(testApp().context, first, { amount: 1005 });
    await refund(testApp().context, second);
    await settle();
    expect(await balanceOf(inviter)).toBe('0.00');
    await pass();
    await settle();
    // A tenth of 19.95 in whole cents.
    expect(await rewardsOf(inviter)).toMatchObject([
      { state: 'paid', amount: 300, paid: 199 },
      { state: 'lapsed', paid: 0 },
    ]);
    expect(await balanceOf(inviter)).toBe('1.99');
  });

  it('wait while a refund is asked for', async () => {
    const [inviter, invitee] = await pair();
    const orderNo = await invitee.bought();
    await settle();
    await db().run("update orders set refund_state = 'requested' where order_no = $1", [orderNo]);
    await pass();
    await settle();
    expect(await rewardsOf(inviter)).toMatchObject([{ state: 'waiting', paid: 0 }]);
    await db().run("update orders set refund_state = 'refused' where order_no = $1", [orderNo]);
    await pass();
    await settle();
    expect(await balanceOf(inviter)).toBe('1.00');
  });

  it('are taken back as far as an order is refunded later, at most what was given, also while they are off', async () => {
    const [inviter, invitee] = await pair();
    const orderNo = await invitee.bought({ quantity: 3 });
    await settle();
    await pass();
    await settle();
    expect(await balanceOf(inviter)).toBe('3.00');
    await count({ enabled: false });
    await refund(testApp().context, orderNo, { quantity: 1 });
    await Promise.all([settle(), settle(), settle()]);
    expect(await balanceOf(inviter)).toBe('2.00');
    await refund(testApp().context, orderNo);
    await Promise.all([settle(), settle()]);
    await settle();
    expect(await balanceOf(inviter)).toBe('0.00');
    expect(await rewardsOf(inviter)).toMatchObject([{ paid: 300, taken_back: 300 }]);
    expect(
      (await inviter.get('user/balanceLog?type=8')).data.list.map((row: { amount: string }) => row.amount),
    ).toEqual(['-2.00', '-1.00']);
  });

  it('take of a wallet what is there, and the rest once there is more', async () => {
    const [inviter, invitee] = await pair();
    const orderNo = await invitee.bought({ quantity: 3 });
    await settle();
    await pass();
    await settle();
    await db().one("select wallet_post($1, 'CNY', 3, -250, 0, 'adjustment', null, null, null, '', 'test')", [
      inviter.id,
    ]);
    await refund(testApp().context, orderNo);
    await settle();
    expect([await balanceOf(inviter), (await rewardsOf(inviter))[0]?.taken_back]).toEqual(['0.00', 50]);
    await settle();
    await db().one("select wallet_post($1, 'CNY', 1, 1000, 0, 'adjustment', null, null, null, '', 'test')", [
      inviter.id,
    ]);
    await db().run("update invite_rewards set settle_at = clock_timestamp() where settle_at < 'infinity'");
    await settle();
    expect([await balanceOf(inviter), (await rewardsOf(inviter))[0]?.taken_back]).toEqual(['7.50', 300]);
  });

  it('pay at most the money of a day, the rest later', async () => {
    await count({ cny_per_day: 150, orders: 3 });
    const [inviter, invitee] = await pair();
    for (const quantity of [3, 1, 1]) await invitee.bought({ quantity });
    await settle();
    await pass();
    await Promise.all([settle(), settle(), settle()]);
    // The share of 30.00 is cut to the money of a day.
    expect(await rewardsOf(inviter)).toMatchObject([{ amount: 150, paid: 150 }, { paid: 0 }, { paid: 0 }]);
    await db().run("update invite_rewards set paid_at = paid_at - interval '1 day' where paid > 0");
    await pass();
    await settle();
    expect((await rewardsOf(inviter)).map(({ paid }) => paid)).toEqual([150, 100, 0]);
  });

  it('keep what was promised at the registration, and end with their days', async () => {
    const [inviter, invitee] = await pair();
    await count({ percent: 50, orders: 9 });
    for (let order = 0; order < 3; order++) await invitee.bought();
    await settle();
    expect(await rewardsOf(inviter)).toMatchObject([{ amount: 100 }, { amount: 100 }]);
    const [other, late] = await pair();
    await db().run("update invitations set ends_at = clock_timestamp() - interval '1 second' where invitee_id = $1", [
      late.id,
    ]);
    await late.bought();
    await settle();
    expect(await rewardsOf(other)).toEqual([]);
  });

  it('are held when the provider names one payer for two accounts, and when both give a code on one device', async () => {
    const [inviter, invitee] = await pair();
    for (const person of [inviter, invitee]) {
      const { data } = await person.post('recharge/create', { amount: '20.00', method: 'sandbox' });
      const opened = await person.post('payment/online', { recharge_no: data.recharge_no, method: 'sandbox' });
      const notice = { payment_no: opened.data.payment_no, amount: 2000, currency: 'CNY', paid: true };
      await takeNotice(db(), 'sandbox', { ...notice, reference: `ref-${person.id}`, payer: 'one and the same' });
    }
    await invitee.bought();
    await settle();
    await pass();
    await settle();
    await settle();
    expect(await invitationOf(invitee)).toMatchObject({ state: 'held', reasons: ['payment'] });
    expect(await rewardsOf(inviter)).toMatchObject([{ state: 'waiting', paid: 0 }]);
    const [owner, guest] = await pair();
    await guest.bought();
    await settle();
    await pass();
    await db().run("insert into known_devices (user_id, device) values ($1, 'x'), ($2, 'x')", [owner.id, guest.id]);
    await settle();
    expect(await invitationOf(guest)).toMatchObject({ state: 'held', reasons: ['device'] });
  });

  it('keep no payer while they are off', async () => {
    await count({ enabled: false });
    const person = await testApp().person();
    const { data } = await person.post('recharge/create', { amount: '20.00', method: 'sandbox' });
    const opened = await person.post('payment/online', { recharge_no: data.recharge_no, method: 'sandbox' });
    const notice = { payment_no: opened.data.payment_no, amount: 2000, currency: 'CNY', paid: true };
    await takeNotice(db(), 'sandbox', { ...notice, reference: `off-${person.id}`, payer: 'somebody' });
    expect(await db().rows('select 1 from payers where user_id = $1', [person.id])).toEqual([]);
  });

  it('stay right while orders are refunded as they are paid', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => pair(20_000)));
    const orders = await Promise.all(people.map(([, invitee]) => invitee.bought({ quantity: 4 })));
    await settle();
    await pass();
    await Promise.all([
      ...orders.map((orderNo) => refund(testApp().context, orderNo, { quantity: 1 })),
      settle(),
      settle(),
      ...orders.map((orderNo) => refund(testApp().context, orderNo, { amount: 500 })),
      settle(),
    ]);
    await settle();
    for (const [inviter] of people) expect(await balanceOf(inviter)).toBe('2.50');
  });

  it('cannot be given twice or beyond their share, whatever the code does', async () => {
    const [inviter, invitee] = await pair();
    const orderNo = await invitee.bought();
    await settle();
    const { id } = await db().one<{ id: number }>('select id from orders where order_no = $1', [orderNo]);
    const post = (type: number, amount: number) =>
      db().one("select wallet_post($1, 'CNY', $2, $3, 0, 'rewards', $4, null, null, '', 'test')", [
        ...[inviter.id, type, amount, id],
      ]);
    await expect(post(7, 101)).rejects.toMatchObject({ code: '23514' });
    await pass();
    await settle();
    await expect(post(7, 1)).rejects.toMatchObject({ code: '23505' });
    await db().one("select wallet_post($1, 'CNY', 1, 1000, 0, 'adjustment', null, null, null, '', 'test')", [
      inviter.id,
    ]);
    await expect(post(8, -101)).rejects.toMatchObject({ code: '23514' });
  });

  it('are in the copy of one’s data, and an account that is erased gets nothing and leaves no reasons', async () => {
    const [inviter, invitee] = await pair();
    await invitee.bought();
    await settle();
    await db().run("update invitations set reasons = '{network}' where invitee_id = $1", [invitee.id]);
    await db().run("insert into payers (user_id, payer_hash) values ($1, 'p')", [invitee.id]);
    const copy = async ({ id }: Person) => {
      let text = '';
      for await (const piece of exportFile(testApp().context, id)) text += piece;
      return JSON.parse(text);
    };
    expect((await copy(invitee)).invitations).toMatchObject([{ what: 'was invited', state: 'counts' }]);
    const { invitations, invitation_rewards } = await copy(inviter);
    expect(invitations).toEqual([expect.objectContaining({ what: 'has invited' })]);
    expect(invitation_rewards).toMatchObject([{ amount: '1.00', paid: '0.00', state: 'waiting' }]);
    await db().one("select wallet_post($1, 'CNY', 3, -9000, 0, 'adjustment', null, null, null, '', 'test')", [
      invitee.id,
    ]);
    for (const { id } of [inviter, invitee])
      await db().one("select account_erase($1, $2, 'test', '')", [id, `gone-${id}`]);
    expect(await invitationOf(invitee)).toMatchObject({ reasons: [] });
    expect(await db().rows('select 1 from payers where user_id = $1', [invitee.id])).toEqual([]);
    await pass();
    await settle();
    expect(await rewardsOf(inviter)).toMatchObject([{ state: 'lapsed', paid: 0 }]);
  });
});
