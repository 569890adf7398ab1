import { ErrorCode } from '@shop/shared/domain';
import { hashPassword } from '../../src/accounts/auth/passwords';
import { recordProof } from '../../src/accounts/sessions/sessions.service';
import { sha256 } from '../../src/platform/crypto/tokens';
import type { Sql } from '../../src/platform/db/sql';
import type { Viewer } from '../../src/platform/http/request';
import { onEveryDatabase, User } from '../support/test-app';
import { heldBack } from '../support/waiting-calls';

const password = 'right-password';
/** Price of one card, in minor units. */
const PRICE = 1000;

onEveryDatabase(
  'proof for wallet payments',
  (testApp) => {
    let passwordHash: string;
    beforeAll(async () => {
      passwordHash = await hashPassword(password);
      await testApp().addStock(100);
    });
    const shopper = async (balance = 100_000) => {
      const user = await testApp().user(balance);
      await testApp().db.run('update users set password_hash = $2 where id = $1', [user.id, passwordHash]);
      return user;
    };
    const addressOf = (user: User) => `10.9.${(user.id >> 8) & 255}.${user.id & 255}`;
    const byPassword = async (user: User, cookie = '') => {
      const body = { phone: user.phone, login_type: 'password', password };
      const answer = await testApp().post('app/login', body, { address: addressOf(user), headers: { cookie } });
      return {
        session: new User(testApp(), user.id, user.phone, answer.data.access_token),
        cookie: String(answer.headers['set-cookie']),
      };
    };
    const sendCode = (user: User, scene: string) => testApp().codeFor(user.phone, scene, { address: addressOf(user) });
    const orderOf = async (user: User, quantity = 1): Promise<string> =>
      (await user.order({ quantity, coupon: 'none' })).data.order_no;
    const changeSession = ({ token }: User, set: string) =>
      testApp().db.run(`update sessions set ${set} where token_hash = $1`, [sha256(token)]);
    const later = (user: User) => changeSession(user, "proved_at = proved_at - interval '6 minutes'");
    const spend = (sql: Sql, { id }: User, { token }: User, order: string, above: object) =>
      sql.run('select wallet_spend($1, $2, $3, $4)', [id, order, sha256(token), JSON.stringify(above)]);

    it('a wallet payment on a new device needs a code after a password sign-in, and is repeated with its key', async () => {
      const owner = await shopper();
      const { session } = await byPassword(owner);
      const order = await orderOf(session);
      const key = 'the-same-intent';
      const refused = await session.pay(order, { key });
      expect(refused).toMatchObject({
        code: ErrorCode.WalletProofRequired,
        data: { reason: 'device', proofs: ['verify'] },
      });
      expect((await session.post('payment/proof', { password })).code).toBe(ErrorCode.WalletProofRequired);
      expect((await session.pay(order, { key })).code).toBe(ErrorCode.WalletProofRequired);
      expect((await owner.info(order)).data.status).toBe(10);

      expect((await session.post('payment/proof', { verify: await sendCode(owner, 'wallet') })).data).toEqual({
        expires_in: 300,
      });
      const paid = await session.pay(order, { key });
      expect(paid).toMatchObject({ code: 200, data: { status: 30, balance: '990.00' } });
      expect((await session.pay(order, { key })).text).toBe(paid.text);
      expect((await session.pay(order)).data.balance).toBe('990.00');
      await testApp().check();
    });

    it('a wallet payment needs no proof after a sign-in by code, or by password on a device with an earlier code', async () => {
      const owner = await shopper();
      expect((await owner.pay(await orderOf(owner))).code).toBe(200);
      const { headers } = await testApp().signInByCode(owner.phone, { address: addressOf(owner) });
      const [set = ''] = headers['set-cookie'] as string[];
      expect(set).toMatch(/^device=[\w-]{43}; Max-Age=34560000; Path=\/api\/front\/app; HttpOnly; SameSite=Strict$/);
      const cookie = set.split(';')[0] ?? '';

      const newSession = await byPassword(owner, `theme=dark; ${cookie}`);
      expect(newSession.cookie).toContain(`${cookie};`);
      expect((await newSession.session.pay(await orderOf(newSession.session))).code).toBe(200);
      const stranger = await shopper();
      const { session } = await byPassword(stranger, cookie);
      expect((await session.pay(await orderOf(session))).code).toBe(ErrorCode.WalletProofRequired);
      const rows = await testApp().db.rows<{ device: Buffer }>('select device from known_devices where user_id = $1', [
        owner.id,
      ]);
      expect(rows.map(({ device }) => device)).toEqual([sha256(cookie.slice('device='.length))]);
    });

    it('a proof for the wallet is not valid for another session', async () => {
      const owner = await shopper();
      const [first, second] = [(await byPassword(owner)).session, (await byPassword(owner)).session];
      expect((await first.post('payment/proof', { verify: await sendCode(owner, 'wallet') })).code).toBe(200);
      expect((await second.pay(await orderOf(second))).code).toBe(ErrorCode.WalletProofRequired);
      const used = await testApp().sentCode(owner.phone);
      expect((await second.post('payment/proof', { verify: used })).code).toBe(ErrorCode.VerificationCodeUsedUp);
      expect((await second.post('payment/proof', {})).code).toBe(ErrorCode.WalletProofRequired);
      expect((await second.pay(await orderOf(second))).code).toBe(ErrorCode.WalletProofRequired);
      expect((await testApp().post('payment/proof', { password })).code).toBe(401);
    });

    it('a proof for the wallet lasts five minutes above the amount, and may be a password or a code', async () => {
      const owner = await shopper();
      expect((await owner.pay(await orderOf(owner, 3))).code).toBe(200);
      await later(owner);
      const order = await orderOf(owner, 3);
      expect(await owner.pay(order)).toMatchObject({
        code: ErrorCode.WalletProofRequired,
        data: { reason: 'amount', proofs: ['password', 'verify'] },
      });
      expect((await owner.post('payment/proof', { password: 'wrong-password' })).code).toBe(ErrorCode.WrongCredentials);
      expect((await owner.pay(order)).code).toBe(ErrorCode.WalletProofRequired);
      expect((await owner.post('payment/proof', { password })).code).toBe(200);
      expect((await owner.pay(order)).code).toBe(200);
      await later(owner);
      const nextOrder = await orderOf(owner, 3);
      expect((await owner.pay(nextOrder)).code).toBe(ErrorCode.WalletProofRequired);
      expect((await owner.post('payment/proof', { verify: await sendCode(owner, 'wallet') })).code).toBe(200);
      expect((await owner.pay(nextOrder)).code).toBe(200);
    });

    it('small payments need a proof when their sum exceeds the amount, even concurrently, and again only a day later', async () => {
      const owner = await shopper();
      await later(owner);
      const orders = [];
      for (let index = 0; index < 4; index++) orders.push(await orderOf(owner));
      const codes = (await Promise.all(orders.map((order) => owner.pay(order)))).map(({ code }) => code);
      expect(codes.sort()).toEqual([200, 200, ErrorCode.WalletProofRequired, ErrorCode.WalletProofRequired]);
      const left = [];
      for (const order of orders) if ((await owner.info(order)).data.status === 10) left.push(order);
      expect(left).toHaveLength(2);
      await changeSession(owner, "spent_since = spent_since - interval '25 hours'");
      const [first = '', second = ''] = left;
      const repeated = await Promise.all([first, first, first].map((order) => owner.pay(order)));
      expect(repeated.map(({ code }) => code)).toEqual([200, 200, 200]);
      expect((await owner.pay(second)).code).toBe(200);
      expect(await owner.balance()).toBe('960.00');
      await testApp().check();
    });

    it('the day of the spending limit begins with the first payment, not with the sign-in', async () => {
      const owner = await shopper();
      await later(owner);
      const ago = (hours: number) => changeSession(owner, `spent_since = spent_since - interval '${hours} hours'`);
      await ago(23);
      expect((await owner.pay(await orderOf(owner, 2))).code).toBe(200);
      await ago(2);
      expect((await owner.pay(await orderOf(owner))).code).toBe(ErrorCode.WalletProofRequired);
      await ago(23);
      expect((await owner.pay(await orderOf(owner))).code).toBe(200);
    });

    it('a proof given while a payment waits for the session is requested only once', async () => {
      const { db } = testApp();
      const owner = await shopper();
      await later(owner);
      const order = await orderOf(owner, 3);
      const spendBy = (user: User) => spend(db, user, owner, order, { CNY: 1 });
      await expect(spendBy(owner)).rejects.toMatchObject({ message: '45003', detail: 'amount' });
      await expect(spendBy(await shopper())).rejects.toMatchObject({ message: '401' });
      const prove = (sql: Sql) => recordProof(sql, { tokenHash: sha256(owner.token) } as Viewer, false);
      expect(await heldBack(db, prove, () => spendBy(owner))).toEqual([1]);
    });

    it('a payment that waits while its session is ended pays nothing', async () => {
      const { db } = testApp();
      const owner = await shopper();
      await later(owner);
      const order = await orderOf(owner);
      const paid = heldBack(
        db,
        (sql) => sql.run('delete from sessions where token_hash = $1', [sha256(owner.token)]),
        () => spend(db, owner, owner, order, {}),
      );
      await expect(paid).rejects.toMatchObject({ message: '401' });
    });

    it('no proof is requested without a payment: another user’s order, closed, already paid, or free by a coupon', async () => {
      const owner = await shopper();
      const { session } = await byPassword(await shopper());
      const order = await orderOf(owner, 3);
      expect((await session.pay(order)).code).toBe(ErrorCode.OrderNotFound);
      await owner.post('order/cancel', { order_no: order });
      await later(owner);
      expect((await owner.pay(order)).code).toBe(ErrorCode.OrderClosed);

      const { session: another } = await byPassword(owner);
      await owner.post('payment/proof', { password });
      const paid = await owner.bought({ quantity: 3, coupon: 'none' });
      expect((await another.pay(paid)).data.status).toBe(30);
      const coupon_id = await testApp().addCoupon({ reduce: PRICE, min: PRICE });
      expect((await owner.post('coupon/receive', { coupon_id })).code).toBe(200);
      const { data: free } = await another.order();
      expect(free.total_amount).toBe('0.00');
      expect((await another.pay(free.order_no)).data.status).toBe(30);
      await testApp().check();
    });

    it('a wallet payment needs a proof above the amount, not at the amount', async () => {
      const owner = await shopper();
      await later(owner);
      const order = await orderOf(owner);
      const spendAbove = (amount: number) => spend(testApp().db, owner, owner, order, { CNY: amount });
      await expect(spendAbove(PRICE - 1)).rejects.toMatchObject({ message: '45003', detail: 'amount' });
      await expect(spendAbove(PRICE)).resolves.toBe(1);
    });

    it('a currency without a limit needs no proof by amount', async () => {
      const owner = await shopper();
      await owner.give(1000, 'USD');
      await later(owner);
      const { data } = await owner.order({ quantity: 3 }, { currency: 'USD' });
      expect((await owner.pay(data.order_no, { currency: 'USD' })).data).toMatchObject({ status: 30, balance: '5.50' });
    });

    it('a proof for the wallet has as many attempts as a sign-in', async () => {
      const owner = await shopper();
      const tries = [];
      for (let index = 0; index < 6; index++)
        tries.push((await owner.post('payment/proof', { password: `wrong-${index}-password` })).code);
      expect(tries).toEqual([41001, 41001, 41001, 41001, 41001, 42901]);
      const code = await sendCode(owner, 'wallet');
      const wrong = code === '000000' ? '111111' : '000000';
      for (let index = 0; index < 5; index++) await owner.post('payment/proof', { verify: wrong });
      expect((await owner.post('payment/proof', { verify: code })).code).toBe(ErrorCode.VerificationCodeUsedUp);
    });

    it('payments by a provider and recharges need no proof, because they do not use the wallet’s money', async () => {
      const owner = await shopper();
      const { session } = await byPassword(owner);
      const order = await orderOf(session, 3);
      expect((await session.post('payment/online', { order_no: order, method: 'sandbox' })).code).toBe(200);
      const recharge = await session.post('recharge/create', { amount: '100.00', method: 'sandbox' });
      expect(recharge.code).toBe(200);
      expect((await session.pay(order)).code).toBe(ErrorCode.WalletProofRequired);
    });

    it('neither linking WeChat on a new device nor signing in with it counts as a proof', async () => {
      const owner = await shopper();
      const { session } = await byPassword(owner);
      const authorize = async (token?: string) => {
        const started = await testApp().get('/api/wechat/wxcode?callback=/user', { headers: { host: 'shop.example' } });
        const cookie = String(started.headers['set-cookie']).split(';')[0] ?? '';
        const query = new URL(started.data.url, 'https://shop.example').search;
        return testApp().get(`app/wechatAuthorize${query}`, { headers: { cookie }, token });
      };
      for (const token of [session.token, undefined]) {
        const { access_token } = (await authorize(token)).data;
        const linked = new User(testApp(), owner.id, owner.phone, access_token);
        expect((await linked.get('user/info')).data.id).toBe(owner.id);
        expect((await linked.pay(await orderOf(linked))).code).toBe(ErrorCode.WalletProofRequired);
      }
      await testApp().db.run('update users set openid = null where id = $1', [owner.id]);
    });

    it('an account with neither phone nor password needs no proof at first, and a new sign-in above the amount', async () => {
      const owner = await shopper();
      await testApp().db.run('update users set phone = null, password_hash = null where id = $1', [owner.id]);
      const session = await testApp().signIn(owner, 'wechat');
      await later(session);
      const order = await orderOf(session, 3);
      expect((await session.pay(order)).data).toEqual({ reason: 'amount', proofs: [] });
      expect((await session.post('payment/proof', { password })).code).toBe(ErrorCode.WalletProofRequired);
      expect((await (await testApp().signIn(owner, 'wechat')).pay(order)).code).toBe(200);
    });

    it('a proof is requested again on a device that was signed out, or after a password change elsewhere', async () => {
      const owner = await shopper();
      const provedCookie = async () => {
        const { session, cookie } = await byPassword(owner);
        expect((await session.post('payment/proof', { verify: await sendCode(owner, 'wallet') })).code).toBe(200);
        return cookie.split(';')[0] ?? '';
      };
      const isAsked = async (cookie: string) => {
        const { session } = await byPassword(owner, cookie);
        const { code } = await session.pay(await orderOf(session));
        await testApp().db.run('delete from sessions where token_hash = $1', [sha256(session.token)]);
        return code === ErrorCode.WalletProofRequired;
      };
      const cookies = [await provedCookie(), await provedCookie()];
      expect(await isAsked(cookies[0] as string)).toBe(false);
      const { list } = (await owner.get('user/sessions')).data;
      for (const { id } of list.filter((session: { current: boolean }) => !session.current))
        await owner.delete(`user/sessions?id=${id}`);
      expect(await isAsked(cookies[0] as string)).toBe(true);
      const another = await provedCookie();
      expect((await owner.post('app/setPassword', { old_password: password, password: 'next-password' })).code).toBe(
        200,
      );
      await testApp().db.run('update users set password_hash = $2 where id = $1', [owner.id, passwordHash]);
      expect(await isAsked(another)).toBe(true);
    });
  },
  () => ({ WALLET_PROOF_ABOVE: `CNY=${((2.5 * PRICE) / 100).toFixed(2)}` }),
);
