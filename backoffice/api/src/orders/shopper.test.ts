import { onEveryDatabase, type User } from '@shop/server/test/support/test-app';
import { lastEntry, withStaff } from '../testing/staff';

onEveryDatabase('account actions at /staff', (testApp) => {
  const money = withStaff(testApp, 'money');
  const manager = withStaff(testApp, 'manager');
  let user: User;
  beforeEach(async () => {
    user = await testApp().user(1000);
  });
  const entry = () => lastEntry(testApp(), 'user_id = $1', user.id);

  it('staff disable a user, which ends the sessions, lock the wallet and flag regulars, audited with a reason', async () => {
    const change = { id: user.id, is_usable: false, wallet_locked: true, reason: 'stolen cards' };
    expect((await money.post('shopper/change', change)).code).toBe(200);
    expect((await user.get('user/info')).code).toBe(401);
    const before = (await money.get(`shopper/${user.id}`)).data;
    expect(before).toMatchObject({ user: { is_usable: false }, is_vip: false, wallets: [{ locked: true }] });
    await money.post('shopper/change', { id: user.id, is_usable: true, is_vip: true, reason: 'cleared' });
    const detail = { after: { is_usable: true, is_vip: true }, reason: 'cleared' };
    const changed = { actor: money.actor, action: 'person.change', subject: '', detail };
    expect(await entry()).toEqual(expect.objectContaining(changed));
    const { data } = await money.get(`shopper/${user.id}`);
    expect(data).toMatchObject({ user: { is_usable: true }, is_vip: true, wallets: [{ locked: true }] });
    expect((await money.post('shopper/change', { id: user.id })).code).toBe(40001);
  });

  it('staff give a user a coupon once', async () => {
    const key = `gift-${user.id}`;
    await testApp().addCoupon({ key, reduce: 100 });
    const give = (coupon: string) => money.post('shopper/coupon', { id: user.id, coupon });
    expect((await give(key)).code).toBe(200);
    expect(await entry()).toMatchObject({ actor: money.actor, action: 'coupon.give', subject: key });
    expect([(await give(key)).code, (await give('nothing')).code]).toEqual([44001, 44404]);
    expect((await money.get(`shopper/${user.id}`)).data.coupons).toMatchObject([{ name: 'Coupon', use_status: 1 }]);
  });

  it('staff export a user’s data to a file, and the access is audited', async () => {
    const file = await manager.post('shopper/export', { id: user.id });
    expect(file.headers).toMatchObject({
      'content-disposition': `attachment; filename="person-${user.id}.json"`,
      'cache-control': 'no-store',
    });
    expect(file.text).toContain(user.phone);
    expect(await entry()).toMatchObject({ actor: manager.actor, action: 'account.export' });
    expect((await manager.post('shopper/export', { id: 999_999_999 })).code).toBe(404);
  });

  it('staff see what closed accounts wait for, and erase an account at once if nothing is open', async () => {
    const erase = () => manager.post('shopper/erase', { id: user.id, reason: 'a letter' });
    expect(await erase()).toMatchObject({ code: 41020, data: { reasons: ['balance'] } });
    const close = "update users set close_requested_at = now(), close_at = now() + interval '3 days' where id = $1";
    await testApp().db.run(close, [user.id]);
    const closing = async () =>
      (await money.get('closures')).data.find((closing: { user: { id: number } }) => closing.user.id === user.id);
    const masked = expect.stringMatching(/\*{4}/);
    expect(await closing()).toMatchObject({ waits_for: ['balance'], user: { phone: masked } });
    await user.give(-1000);
    expect(await closing()).toMatchObject({ waits_for: [] });
    const { data } = await erase();
    expect(data).toEqual({ pseudonym: expect.stringMatching(/^erased-\w{12}$/) });
    expect(await entry()).toMatchObject({ actor: manager.actor, action: 'account.erase' });
    expect(await closing()).toBeUndefined();
    expect((await erase()).code).toBe(404);
    expect((await money.post('shopper/change', { id: user.id, is_vip: true, reason: 'x' })).code).toBe(404);
  });
});
