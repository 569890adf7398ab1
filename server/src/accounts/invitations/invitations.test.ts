import { json } from 'node:stream/consumers';
import { refund } from '../../../test/support/money-back';
import { onEveryDatabase, User } from '../../../test/support/test-app';
import { handlePaymentNotice } from '../../payments/provider-notices.service';
import { exportFile } from '../privacy/export.service';
import { bindInvitation, giveInvitationCoupons } from './invitations.service';

let numbers = 0;
const newPhone = () => `136${String(++numbers).padStart(8, '0')}`;

onEveryDatabase('invitations', (testApp) => {
  const db = () => testApp().db;
  const giveCoupons = () => giveInvitationCoupons(testApp().context);
  const close = () => db().run('update coupons set for_invitation = false');
  const open = async (total: number | null = null) => {
    await close();
    await testApp().addCoupon({ name_zh: '邀请券', name_en: 'For inviting', reduce: 500, total, for_invitation: true });
  };
  const codeOf = ({ id }: { id: number }) =>
    testApp().value<string>('select invite_code from users where id = $1', [id]);

  interface Registration {
    inviteCode?: string;
    cookie?: string;
    address?: string;
    balance?: number;
  }
  async function register({ inviteCode, cookie, address, balance = 0 }: Registration): Promise<User> {
    const phone = newPhone();
    const from = address ?? `10.8.${numbers >> 8}.${numbers & 255}`;
    const verify = await testApp().codeFor(phone, 'login', { address: from });
    const body = { phone, password: 'longenough1', verify, invite_code: inviteCode };
    const answer = await testApp().post('app/register', body, { address: from, headers: cookie ? { cookie } : {} });
    expect([answer.code, answer.message]).toEqual([200, expect.any(String)]);
    const id = await testApp().value<number>('select id from users where phone = $1', [phone]);
    const user = new User(testApp(), id, phone, answer.data.access_token);
    if (balance > 0) await user.give(balance);
    return user;
  }
  const invitationOf = ({ id }: User) =>
    db().row<{ inviter_id: number; state: string }>('select inviter_id, state from invitations where invitee_id = $1', [
      id,
    ]);
  const stateOf = async (user: User) => (await invitationOf(user))?.state;
  async function pair(): Promise<[inviter: User, invitee: User]> {
    const inviter = await testApp().user();
    return [inviter, await register({ inviteCode: await codeOf(inviter), balance: 10_000 })];
  }
  const payAs = async (payer: string, user: User) => {
    const { data } = await user.post('recharge/create', { amount: '20.00', method: 'sandbox' });
    const notice = { payment_no: data.payment_no, amount: 2000, currency: 'CNY', paid: true };
    await handlePaymentNotice(db(), 'sandbox', { ...notice, reference: `ref-${user.id}`, payer });
  };
  const couponsOf = async (user: User) =>
    (await user.get('coupon/getUserCouponList?status=1')).data.map(({ name }: { name: string }) => name);

  beforeEach(() => open());
  afterEach(() => testApp().check());

  it('invitations are closed without a coupon: no code is shown, no account bound, no payer stored, and due coupons wait', async () => {
    const [inviter, earlier] = await pair();
    await earlier.bought();
    await close();
    expect((await inviter.get('user/info')).data.invite_code).toBe('');
    for (const path of ['user/invite', 'user/invite/people']) expect((await inviter.get(path)).code).toBe(404);
    expect((await testApp().post('app/invitation', { invite_code: await codeOf(inviter) })).code).toBe(404);
    expect(await invitationOf(await register({ inviteCode: await codeOf(inviter) }))).toBeUndefined();
    await payAs('somebody', earlier);
    expect(await db().rows('select 1 from payers where user_id = $1', [earlier.id])).toEqual([]);
    await giveCoupons();
    expect(await couponsOf(inviter)).toEqual([]);
    await open();
    await giveCoupons();
    expect(await couponsOf(inviter)).toEqual(['邀请券']);
  });

  it('an invitation binds a visitor who opened the link and registers later, also by a code that signs in', async () => {
    const inviter = await testApp().user();
    const code = (await codeOf(inviter)).toLowerCase();
    const fullWidth = code.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
    const [start, end] = [code.slice(0, 4), code.slice(4)];
    let cookie = '';
    for (const spelled of [`${start}-${end}`, ` ${start}\u00a0${end} `, fullWidth]) {
      const opened = await testApp().post('app/invitation', { invite_code: spelled });
      expect(opened.data).toEqual({ opened: true });
      cookie = String(opened.headers['set-cookie']);
    }
    expect(cookie).toMatch(/^invitation=\w{8}; .*Path=\/api\/front\/app; .*HttpOnly; .*SameSite=Strict/);
    const [pairOfCookie = ''] = cookie.split(';');
    const options = { address: '10.9.99.1', headers: { cookie: pairOfCookie } };
    const signedIn = await testApp().signInByCode(newPhone(), options);
    const { data } = await testApp().get('user/info', { token: signedIn.data.access_token });
    expect(await invitationOf({ id: data.id } as User)).toEqual({ inviter_id: inviter.id, state: 'waiting' });
    const existing = await testApp().user(0, 'longenough1');
    const signIn = { phone: existing.phone, password: 'longenough1', login_type: 'password' };
    await testApp().post('app/login', signIn, options);
    expect(await invitationOf(existing)).toBeUndefined();
  });

  it('one IP prefix may try sixty invite codes an hour, by a link or while registering', async () => {
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

  it('an invitation binds a shopper once, and never to themselves', async () => {
    const [inviter, invitee] = await pair();
    const other = await testApp().user();
    const bind = (inviteeId: number, inviterId: number) =>
      db().withTransaction((sql) => bindInvitation(sql, { inviteeId, inviterId, address: '10.7.7.7', device: null }));
    await bind(invitee.id, other.id);
    await bind(invitee.id, invitee.id);
    await bind(other.id, other.id);
    expect((await invitationOf(invitee))?.inviter_id).toBe(inviter.id);
    expect(await invitationOf(other)).toBeUndefined();
  });

  it('an invitation is refused on a device of another account, and on an IP prefix of the inviter’s family', async () => {
    const device = (letter: string) => `device=${letter.repeat(43)}`;
    const inviter = await register({ cookie: device('a'), address: '10.6.0.1' });
    const inviteCode = await codeOf(inviter);
    expect(await stateOf(await register({ inviteCode, cookie: device('a') }))).toBe('refused');
    expect(await stateOf(await register({ inviteCode, cookie: device('b') }))).toBe('waiting');
    expect(await stateOf(await register({ inviteCode, cookie: device('b') }))).toBe('refused');
    expect(await stateOf(await register({ inviteCode, address: '10.6.0.1' }))).toBe('refused');
    const first = await register({ inviteCode, address: '10.6.0.2' });
    expect(await stateOf(await register({ inviteCode: await codeOf(first), address: '10.6.0.1' }))).toBe('refused');
  });

  it('concurrent processes give the inviter one coupon for the first finished order of each shopper', async () => {
    const [inviter, invitee] = await pair();
    const friend = await register({ inviteCode: await codeOf(inviter), balance: 10_000 });
    await invitee.order();
    await giveCoupons();
    expect(await couponsOf(inviter)).toEqual([]);
    await invitee.bought();
    await Promise.all(Array.from({ length: 5 }, giveCoupons));
    await invitee.bought();
    await giveCoupons();
    expect(await couponsOf(inviter)).toEqual(['邀请券']);
    expect(await stateOf(friend)).toBe('waiting');
    await friend.bought();
    await Promise.all([giveCoupons(), giveCoupons()]);
    expect(await couponsOf(inviter)).toEqual(['邀请券', '邀请券']);

    expect((await inviter.get('user/invite', { locale: 'en' })).data).toEqual({
      invite_code: await codeOf(inviter),
      coupon: 'For inviting',
      people: 2,
      coupons: 2,
    });
    const { list } = (await inviter.get('user/invite/people')).data;
    expect(list[1]).toEqual({
      name: `玩***${invitee.phone.slice(-2)}`,
      state: 'rewarded',
      registered_at: expect.any(String),
    });
    expect(JSON.stringify(list)).not.toContain(invitee.phone);
    expect((await invitee.get('user/invite/people')).data.list).toEqual([]);
  });

  it('an inviter keeps the coupon when the order is refunded later, and gets none for an order refunded before', async () => {
    const [inviter, invitee] = await pair();
    const orderNo = await invitee.bought();
    await giveCoupons();
    await refund(testApp().context, orderNo);
    await giveCoupons();
    expect(await couponsOf(inviter)).toEqual(['邀请券']);
    const [other, late] = await pair();
    await refund(testApp().context, await late.bought());
    await giveCoupons();
    expect(await couponsOf(other)).toEqual([]);
  });

  it('an invitation waits when all coupons are given, and gets one that is added', async () => {
    await open(1);
    const inviter = await testApp().user();
    const inviteCode = await codeOf(inviter);
    const friends = [await register({ inviteCode, balance: 5000 }), await register({ inviteCode, balance: 5000 })];
    for (const friend of friends) await friend.bought();
    await giveCoupons();
    expect(await couponsOf(inviter)).toHaveLength(1);
    await db().run('update coupons set total = 2 where for_invitation');
    await giveCoupons();
    expect(await couponsOf(inviter)).toHaveLength(2);
  });

  it('an invitation is refused when one payer or one device is behind both accounts', async () => {
    const [inviter, invitee] = await pair();
    for (const user of [inviter, invitee]) await payAs('one and the same', user);
    const [owner, guest] = await pair();
    await db().run("insert into known_devices (user_id, device) values ($1, 'x'), ($2, 'x')", [owner.id, guest.id]);
    for (const user of [invitee, guest]) await user.bought();
    await giveCoupons();
    await giveCoupons();
    for (const user of [invitee, guest]) expect(await stateOf(user)).toBe('refused');
    for (const user of [inviter, owner]) expect(await couponsOf(user)).toEqual([]);
  });

  it('the database rejects a second coupon for one invited shopper', async () => {
    const [inviter, invitee] = await pair();
    await invitee.bought();
    await giveCoupons();
    await db().run("update invitations set state = 'waiting' where invitee_id = $1", [invitee.id]);
    await expect(giveCoupons()).rejects.toMatchObject({ code: 44001 });
    expect(await couponsOf(inviter)).toHaveLength(1);
    await db().run("update invitations set state = 'rewarded' where invitee_id = $1", [invitee.id]);
  });

  it('invitations are in the copy of the user’s data; an erased account gets nothing and keeps no payer', async () => {
    const [inviter, invitee] = await pair();
    await invitee.bought();
    await db().run("insert into payers (user_id, payer_hash) values ($1, 'p')", [invitee.id]);
    const copy = ({ id }: User) => json(exportFile(testApp().context, id));
    expect(await copy(invitee)).toMatchObject({ invitations: [{ what: 'was invited', state: 'waiting' }] });
    expect(await copy(inviter)).toMatchObject({ invitations: [{ what: 'has invited', state: 'waiting' }] });
    await invitee.give(-9000);
    for (const { id } of [inviter, invitee])
      await db().one("select account_erase($1, $2, 'test', '')", [id, `gone-${id}`]);
    expect(await db().rows('select 1 from payers where user_id = $1', [invitee.id])).toEqual([]);
    await giveCoupons();
    expect(await db().rows('select 1 from user_coupons where user_id = $1', [inviter.id])).toEqual([]);
  });
});
