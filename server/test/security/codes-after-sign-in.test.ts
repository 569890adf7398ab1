import { ErrorCode } from '@shop/shared/domain';
import type { SignInProof } from '../../src/accounts/sessions/sessions.service';
import { forget } from '../../src/jobs/forget';
import { sha256 } from '../../src/platform/crypto/tokens';
import { onEveryDatabase, type User } from '../support/test-app';

onEveryDatabase('codes without a proof', (testApp) => {
  beforeAll(() => testApp().addStock(100));
  const signIn = async (user: User, proof: SignInProof): Promise<User> => {
    const session = await testApp().signIn(user, proof);
    await testApp().db.run('update sessions set proved_at = now() where token_hash = $1', [sha256(session.token)]);
    return session;
  };
  const order = async (user: User): Promise<string> => (await user.order({ coupon: 'none' })).data.order_no;
  const bought = (user: User) => user.bought({ coupon: 'none' });
  const codesOf = (user: User, orderNo: string, proof: object = {}) =>
    user.post('order/cards', { order_no: orderNo, ...proof });
  const age = (user: User, seconds: number) =>
    testApp().db.run(
      'update sessions set fresh_until = fresh_until - make_interval(secs => $2) where token_hash = $1',
      [sha256(user.token), seconds],
    );

  it.each(['code', 'password'] as const)(
    'codes are shown to the session that bought them after a sign-in by %s, and each view is recorded',
    async (proof) => {
      const user = await signIn(await testApp().user(5000), proof);
      const orderNo = await bought(user);
      const answer = await user.post('order/cards', { order_no: orderNo }, { address: '2001:db8:1:2:3::4' });
      expect(answer.data.cards).toHaveLength(1);
      expect((await user.info(orderNo)).text).not.toContain(answer.data.cards[0].card_no);
      expect(answer.headers['cache-control']).toBe('no-store');
      const entries = await testApp().db.rows(
        "select actor, network, session, subject, detail from audit_log where action = 'cards.reveal' and user_id = $1",
        [user.id],
      );
      const session = sha256(user.token).toString('hex').slice(0, 16);
      const network = '2001:db8:1:2::/64';
      expect(entries).toEqual([{ actor: 'user', network, session, subject: orderNo, detail: { cards: 1 } }]);
    },
  );

  it('codes are shown without a proof until fifteen minutes after the sign-in, and then no trace of the session remains', async () => {
    const user = await testApp().user(5000);
    const orderNo = await bought(user);
    const noted = () => testApp().db.rows('select 1 from session_orders where order_no = $1', [orderNo]);
    expect(await noted()).toHaveLength(1);
    await age(user, 15 * 60 - 10);
    expect((await codesOf(user, orderNo)).code).toBe(200);
    await age(user, 11);
    expect((await codesOf(user, orderNo)).code).toBe(ErrorCode.VerificationRequired);
    await forget(testApp().db, 86_400, new Date(Date.now() + 16 * 60_000));
    expect(await noted()).toEqual([]);
  });

  it('codes are not shown without a proof to an older session of the user, which may be stolen', async () => {
    const user = await testApp().user(10_000);
    await age(user, 15 * 60 + 1);
    const orderNo = await bought(user);
    expect((await codesOf(user, orderNo)).code).toBe(ErrorCode.VerificationRequired);
    const newSession = await signIn(user, 'code');
    expect((await codesOf(newSession, orderNo)).code).toBe(ErrorCode.VerificationRequired);
    expect((await codesOf(newSession, await bought(newSession))).code).toBe(200);
  });

  it('codes are not shown without a proof to another new session of the user, whichever of the two paid', async () => {
    const buyer = await testApp().user(10_000);
    const otherSession = await signIn(buyer, 'code');
    const [paidByBuyer, paidByOther] = [await order(buyer), await order(buyer)];
    await buyer.pay(paidByBuyer);
    await otherSession.pay(paidByOther);
    for (const orderNo of [paidByBuyer, paidByOther]) {
      expect((await codesOf(otherSession, orderNo)).code).toBe(ErrorCode.VerificationRequired);
      expect((await codesOf(buyer, orderNo)).code).toBe(200);
    }
  });

  it('codes are not shown without a proof to a session that repeats the call which placed the order', async () => {
    const buyer = await testApp().user(5000);
    const otherSession = await signIn(buyer, 'code');
    const body = { ...testApp().orderBody('card'), coupon: 'none' };
    const { price_version } = (await buyer.post('order/preview', body)).data;
    const key = 'the-same-order';
    const { order_no } = (await buyer.post('order/create', { ...body, price_version }, { key })).data;
    expect((await otherSession.post('order/create', { ...body, price_version }, { key })).data.order_no).toBe(order_no);
    await buyer.pay(order_no);
    expect((await codesOf(otherSession, order_no)).code).toBe(ErrorCode.VerificationRequired);
  });

  it('a sign-out ends the view of codes without a proof, and forgets the session’s orders', async () => {
    const user = await testApp().user(5000);
    const orderNo = await bought(user);
    expect((await user.post('app/logout', {})).code).toBe(200);
    expect((await codesOf(user, orderNo)).code).toBe(401);
    expect((await codesOf(await signIn(user, 'code'), orderNo)).code).toBe(ErrorCode.VerificationRequired);
    expect(await testApp().db.rows('select 1 from session_orders where order_no = $1', [orderNo])).toEqual([]);
  });

  it('neither a proof for the wallet nor a wrong proof shows codes', async () => {
    const user = await testApp().user(5000, 'right-password');
    await age(user, 15 * 60 + 1);
    const orderNo = await bought(user);
    expect((await user.post('payment/proof', { password: 'right-password' })).code).toBe(200);
    expect((await codesOf(user, orderNo)).code).toBe(ErrorCode.VerificationRequired);
    const sent = await testApp().post('app/send_code', { phone: user.phone, scene: 'anything' });
    expect(sent.code).toBe(ErrorCode.InvalidInput);
    const fresh = await signIn(user, 'password');
    expect((await codesOf(fresh, orderNo, { password: 'wrong-password' })).code).toBe(ErrorCode.WrongCredentials);
    expect((await codesOf(fresh, orderNo, { password: 'right-password' })).data.cards).toHaveLength(1);
    const text = await codesOf(fresh, orderNo, { password: 'right-password', format: 'txt' });
    expect(text.headers['content-type']).toContain('text/plain');
  });

  it('codes need a proof after a WeChat sign-in, unless the account has no other identifier', async () => {
    const user = await signIn(await testApp().user(10_000), 'wechat');
    const orderNo = await bought(user);
    expect((await codesOf(user, orderNo)).code).toBe(ErrorCode.VerificationRequired);
    await testApp().db.run('update users set phone = null where id = $1', [user.id]);
    const newSession = await signIn(user, 'wechat');
    expect((await codesOf(newSession, orderNo)).code).toBe(200);
    await age(newSession, 15 * 60 + 1);
    expect((await codesOf(newSession, orderNo)).code).toBe(ErrorCode.VerificationRequired);
  });

  it('codes shown without a proof count towards thirty views an hour, and a refused view does not', async () => {
    const user = await testApp().user(5000);
    const orderNo = await bought(user);
    const hits = async () =>
      (await testApp().db.row<{ hits: number }>('select hits from rate_limits where key = $1', [`reveal:${user.id}`]))
        ?.hits ?? 0;
    await codesOf(user, orderNo);
    expect(await hits()).toBe(1);
    await testApp().db.run('update rate_limits set hits = 30 where key = $1', [`reveal:${user.id}`]);
    expect((await codesOf(user, orderNo)).code).toBe(ErrorCode.TooManyRequests);
    await age(user, 15 * 60 + 1);
    const before = await hits();
    expect((await codesOf(user, orderNo)).code).toBe(ErrorCode.VerificationRequired);
    expect(await hits()).toBe(before);
  });
});
