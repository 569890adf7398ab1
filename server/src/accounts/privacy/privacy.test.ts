import { staffUser } from '@shop/backoffice/testing';
import { maskPhone } from '@shop/shared/domain/mask-phone';
import { deliver, refund } from '../../../test/support/money-back';
import { addSharedValue } from '../../../test/support/shared-value';
import { onEveryDatabase, type User } from '../../../test/support/test-app';
import { tracesOf } from '../../../test/support/traces';
import { jobs, runJob } from '../../jobs/jobs';
import { serveSuppliers } from '../../suppliers/suppliers.service';
import { hashPassword } from '../auth/passwords';
import { eraseClosed } from './closure.service';

const PASSWORD = 'right-password';
const ID_CARD = '11010519491231002X';
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

onEveryDatabase('privacy: copy of the user’s data and closure of the account', (testApp) => {
  let passwordHash: string;
  beforeAll(async () => {
    passwordHash = await hashPassword(PASSWORD);
    await staffUser(testApp().context, 'Ann', 'seller');
  });

  async function shopper(word = 'ming'): Promise<User> {
    const { db } = testApp();
    const user = await testApp().user(1000);
    await db.run('update users set password_hash = $2 where id = $1', [user.id, passwordHash]);
    const profile = { nickname: `${word}爱玩`, email: `${word}@mail.example`, birthday: '1990-01-02', sex: 1 };
    await user.post('user/info', { ...profile, name: `王${word}`, id_card_code: ID_CARD });
    await user.post('user/gameAccount', { goods_id: testApp().goods.direct.id, fields: { uid: `uid-of-${word}` } });
    await user.post('user/favourite', { goods_id: testApp().goods.direct.id });
    await db.run("insert into notice_settings (user_id, locale, confirmed_email) values ($1, 'en', $2)", [
      user.id,
      `${word}@mail.example`,
    ]);
    await db.run(
      "insert into notices (user_id, channel, kind, about, data) values ($1, 'mail', 'delivered', '1', '{}'), ($1, 'mail', 'confirm', '2', $2)",
      [user.id, JSON.stringify({ token: 'SECRET-TOKEN' })],
    );
    await user.bought();
    const enquiry = { company: 'Ming Ltd', contact: `王${word}`, type: 'other', content: 'Call me' };
    await user.post('business/add', { ...enquiry, phone: user.phone });
    await db.run(
      "insert into audit_log (actor, action, subject, detail, user_id, network) values ('ann (staff)', 'wallet.adjust', $1, $2, $3, '10.66.0.1')",
      [user.phone, JSON.stringify({ reason: `called ${user.phone}` }), user.id],
    );
    await db.run('insert into person_notes (user_id, staff_id, note) select $1, id, $2 from staff_people', [
      user.id,
      `called 王${word}`,
    ]);
    return user;
  }
  const setBalance = async (user: User, to: number) => {
    const stored = "select balance from wallets where user_id = $1 and currency = 'CNY'";
    const balance = await testApp().value<number>(stored, [user.id]);
    if (balance !== to) await user.give(to - balance);
  };
  const close = (user: User, proof: object = { password: PASSWORD }) => user.post('user/closure', proof);
  const signIn = (user: User, password = PASSWORD) =>
    testApp().post('app/login', { phone: user.phone, login_type: 'password', password }, { address: '10.8.0.1' });
  const audited = (user: User, action: string) =>
    testApp().db.rows('select 1 from audit_log where user_id = $1 and action = $2', [user.id, action]);

  describe('copy of the user’s data', () => {
    const ask = (user: User, proof: object = { password: PASSWORD }) => user.post('user/export', proof);
    const fileOf = async (user: User) => testApp().get((await ask(user)).data.url as string);

    it('the copy of a user’s data has every section, the full identity number, and no card code', async () => {
      const user = await shopper();
      const file = await fileOf(user);
      expect(file.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'content-disposition': expect.stringMatching(/^attachment; filename="my-data-\d{4}-\d\d-\d\d\.json"$/),
      });
      const data = JSON.parse(file.text);
      expect(data).toMatchObject({
        profile: [{ phone: user.phone, nickname: 'ming爱玩', name: '王ming', id_card_code: ID_CARD }],
        wallets: [{ currency: 'CNY', balance: expect.stringMatching(/^\d+\.\d\d$/) }],
        sessions: [{ address: '10.0.0.1' }],
        game_accounts: [{ fields: { uid: 'uid-of-ming' } }],
        orders: [{ status: 30, history: [{ kind: 'created' }, { kind: 'paid' }, { kind: 'delivered' }] }],
        funds_log: [{ amount: '10.00' }, { amount: expect.stringMatching(/^-/) }],
        favourites: [{ goods: '测试商品' }],
        notice_settings: [{ confirmed_email: 'ming@mail.example', locale: 'en' }],
        notices: [{ kind: 'delivered' }, { kind: 'confirm', data: null }],
        enquiries: [{ content: 'Call me' }],
        notes: [{ note: 'called 王ming', at: expect.any(String) }],
      });
      for (const name of ['email', 'address']) expect(data.enquiries[0]).not.toHaveProperty(name);
      expect(data.audit).toContainEqual(expect.objectContaining({ action: 'account.export' }));
      expect(data.audit).toContainEqual(
        expect.objectContaining({ action: 'wallet.adjust', actor: 'staff', network: null }),
      );
      const codes = await testApp().db.rows<{ key_id: string; card_no: Buffer }>(
        'select c.key_id, c.card_no from card_codes c join orders o on o.id = c.order_id where o.user_id = $1',
        [user.id],
      );
      expect(codes).toHaveLength(1);
      for (const { key_id, card_no } of codes)
        expect(file.text).not.toContain(testApp().context.keyring.decrypt(key_id, card_no));
    });

    it('the copy of a user’s data has an order of a shared code and its views, without the text', async () => {
      const guide = 'SECRET-GUIDE';
      const spec_id = await addSharedValue(testApp().context, testApp().goods.card.id, 'shared', guide);
      const user = await testApp().user(5000, PASSWORD);
      const order_no = await user.bought({ spec_id });
      expect((await user.post('order/cards', { order_no })).data.cards[0].card_no).toBe(guide);
      const { text } = await fileOf(user);
      const data = JSON.parse(text);
      expect(data.orders).toMatchObject([{ order_no, status: 30 }]);
      const detail = { cards: 1 };
      expect(data.audit).toContainEqual(expect.objectContaining({ action: 'cards.reveal', subject: order_no, detail }));
      expect(text).not.toContain(guide);
    });

    it('the copy of a user’s data has all of many records, in pages', async () => {
      const user = await testApp().user();
      await testApp().db.run('update users set password_hash = $2 where id = $1', [user.id, passwordHash]);
      await testApp().db.run(
        "select wallet_post($1, 'CNY', 1, 1, 0, 'adjustment', null, null, null, n::text, 'test') from generate_series(1, 1001) n",
        [user.id],
      );
      await testApp().db.run(
        "insert into sessions (token_hash, user_id, address, expires_at) select int4send(n), $1, n::text, now() + interval '1 day' from generate_series(1, 700) n",
        [user.id],
      );
      const data = JSON.parse((await fileOf(user)).text);
      expect(new Set(data.funds_log.map((entry: { remark: string }) => entry.remark)).size).toBe(1001);
      expect(new Set(data.sessions.map((session: { address: string }) => session.address)).size).toBe(701);
    });

    it('the copy of a user’s data needs the password or a code for it, at most five times a day', async () => {
      const user = await shopper();
      expect((await ask(user, {})).code).toBe(43030);
      expect((await ask(user, { password: 'wrong-password' })).code).toBe(41001);
      expect((await ask(user, { verify: await testApp().codeFor(user.phone, 'account') })).code).toBe(200);
      for (let index = 0; index < 4; index++) expect((await ask(user)).code).toBe(200);
      expect((await ask(user)).code).toBe(42901);
    });

    it('the copy of a user’s data is downloaded once, by an address that cannot be forged and ends with session or account', async () => {
      const user = await shopper();
      const { url } = (await ask(user)).data;
      expect((await testApp().get(url)).status).toBe(200);
      expect((await testApp().get(url)).status).toBe(429);
      for (const query of ['', '?ticket=e30.x', '?ticket=a&ticket=b'])
        expect((await testApp().get(`user/export${query}`)).status).toBe(404);
      const [second, third] = [(await ask(user)).data.url, (await ask(user)).data.url];
      const setUsable = (usable: number) =>
        testApp().db.run('update users set is_usable = $2 where id = $1', [user.id, usable]);
      await setUsable(0);
      expect((await testApp().get(second)).status).toBe(404);
      await setUsable(1);
      await user.post('app/logout', {});
      expect((await testApp().get(third)).status).toBe(404);
    });
  });

  describe('closure of the account', () => {
    it('an account with money cannot be closed, the response names the reason, and the session continues', async () => {
      const user = await shopper();
      await setBalance(user, 250);
      expect((await user.get('user/closure')).data).toEqual({
        reasons: ['balance'],
        balances: [{ currency: 'CNY', balance: '2.50', frozen: '0.00' }],
        days: 15,
        withdrawn_at: null,
      });
      const refused = await close(user);
      expect([refused.code, refused.data]).toEqual([41020, { reasons: ['balance'] }]);
      expect(refused.message).toMatch(/先用完.*客服/);
      expect((await user.get('user/info')).code).toBe(200);
    });

    it.each([
      ['an undelivered order', 'orders', 'update orders set status = 12, delivery_status = 10 where id = $1'],
      ['a requested refund', 'refunds', "update orders set refund_state = 'requested' where id = $1"],
      [
        'an open recharge',
        'recharges',
        `insert into recharges (recharge_no, user_id, currency, amount, method, expire_at)
           select 'R' || order_no, user_id, 'CNY', 100, 'sandbox', now() from orders where id = $1`,
      ],
      [
        'a dispute',
        'disputes',
        `with paid as (insert into payments (payment_no, user_id, order_id, method, currency, amount, state, expire_at)
             select 'P' || order_no, user_id, id, 'sandbox', 'CNY', 100, 'failed', now() from orders where id = $1 returning id)
           insert into payment_disputes (payment_id, provider_id, amount) select id, 'd', 100 from paid`,
      ],
    ])('an account with %s cannot be closed, and the response names the reason', async (_what, reason, change) => {
      const { db } = testApp();
      const user = await shopper();
      await setBalance(user, 0);
      const { id } = await db.one<{ id: number }>('select id from orders where user_id = $1', [user.id]);
      const undone = db.withTransaction(async (sql) => {
        await sql.run(change, [id]);
        expect(await sql.value<string[]>('select account_blockers($1)', [user.id])).toEqual([reason]);
        await sql.script('savepoint erasure');
        await expect(sql.run("select account_erase($1, 'x', 'test', '')", [user.id])).rejects.toThrow('41021');
        throw new Error('rolled back');
      });
      await expect(undone).rejects.toThrow('rolled back');
    });

    it('closing an account needs the password or a code, ends every session, and is withdrawn by a sign-in within the period', async () => {
      const user = await shopper();
      await setBalance(user, 0);
      expect((await close(user, {})).code).toBe(43030);
      expect((await close(user, { password: 'wrong-password' })).code).toBe(41001);
      const other = (await signIn(user)).data.access_token;
      const { data } = await close(user);
      expect(Date.parse(data.close_at) - Date.now()).toBeGreaterThan(14.99 * DAY_MS);
      expect(Date.parse(data.close_at) - Date.now()).toBeLessThan(15.01 * DAY_MS);
      for (const token of [user.token, other]) expect((await testApp().get('user/info', { token })).code).toBe(401);
      expect(await audited(user, 'account.close')).toHaveLength(1);
      await eraseClosed(testApp().context, inDays(14.9));
      const { access_token: token } = (await signIn(user)).data;
      expect(await audited(user, 'account.close-withdrawn')).toHaveLength(1);
      await eraseClosed(testApp().context, inDays(16));
      const kept = { phone: user.phone, nickname: 'ming爱玩' };
      expect((await testApp().get('user/info', { token })).data).toMatchObject(kept);
      expect((await testApp().get('user/closure', { token })).data.withdrawn_at).toMatch(/^\d{4}-/);
    });

    it('the erasure of an account is deferred if money has arrived meanwhile', async () => {
      const user = await shopper();
      await setBalance(user, 0);
      await close(user);
      await setBalance(user, 100);
      const due = inDays(16);
      await eraseClosed(testApp().context, due);
      const deferred = { phone: user.phone, close_at: new Date(due.getTime() + DAY_MS) };
      expect(await testApp().db.one('select phone, close_at from users where id = $1', [user.id])).toEqual(deferred);
    });
  });

  it('an account is erased after the period, and orders, ledger and audit log stay under a pseudonym', async () => {
    const { db, app, context } = testApp();
    const user = await shopper('fang');
    const picture = `avatar/${user.id}/a.webp`;
    const avatar = `/uploads/${picture}`;
    await context.providers.pictures.put(picture, Buffer.from('a face'), 'image/webp');
    await db.run("insert into uploads (path, user_id, mime, size) values ($1, $2, 'image/webp', 6)", [avatar, user.id]);
    expect((await user.post('user/info', { avatar })).data.avatar).toBe(avatar);
    expect((await app.inject(avatar)).statusCode).toBe(200);
    await setBalance(user, 5000);
    const goods = testApp().orderBody('direct');
    const { data } = await user.order({ ...goods, fields: { uid: 'uid-of-fang', secret: 'secret-of-fang' } });
    expect((await user.pay(data.order_no)).code).toBe(200);
    await user.post('order/refundApply', { order_no: data.order_no, reason: '打给王fang' });
    const { id: orderId } = await db.one<{ id: number }>('select id from orders where order_no = $1', [data.order_no]);
    await db.run('update supplier_requests set state = 0 where order_id = $1', [orderId]);
    await deliver(testApp().context, data.order_no, 'told 王fang');
    await refund(testApp().context, data.order_no, { reason: 'promised to 王fang', amount: 100 });
    await refund(testApp().context, data.order_no, { reason: 'promised to 王fang' });
    await setBalance(user, 5000);
    const { data: sent } = await user.order({ ...goods, fields: { uid: 'uid-of-fang', secret: 'secret-of-fang' } });
    jest.spyOn(testApp().supplier, 'order').mockResolvedValueOnce({ kind: 'done', detail: 'sent to uid-of-fang' });
    expect((await user.pay(sent.order_no)).code).toBe(200);
    await serveSuppliers(testApp().context);
    expect((await user.info(sent.order_no)).data.status).toBe(30);
    await setBalance(user, 0);
    await testApp().get(`/dev/outbox.json?phone=${user.phone}`);
    const verify = await testApp().codeFor(user.phone, 'account');
    const counted = async () =>
      db.one(`select (select count(*) from orders) as orders, (select count(*) from ledger_entries) as entries,
        (select count(*) from card_codes where state = 2) as sold, (select sum(total_amount) from orders)::bigint as total`);
    const before = await counted();

    expect((await signIn(user, 'wrong-password')).code).toBe(41001);
    const masked = maskPhone(user.phone);
    expect(await tracesOf(db, [masked], user.id)).toEqual([`audit_log: ${masked}`]);

    expect((await close(user, { verify })).code).toBe(200);
    expect(await eraseClosed(testApp().context, inDays(15.01))).toBeGreaterThan(0);
    expect(await tracesOf(db, [masked], user.id)).toEqual([]);
    const job = jobs.find(({ name }) => name === 'remove-pictures');
    await runJob(testApp().context, job as (typeof jobs)[number]);

    expect(await counted()).toEqual(before);
    await testApp().check();
    expect(
      await tracesOf(db, ['uid-of-fang', 'secret-of-fang', 'fang爱玩', '王fang', 'fang@mail', user.phone, avatar]),
    ).toEqual([]);
    for (const table of ['favourites', 'notices', 'notice_settings', 'push_subscriptions', 'stock_wishes'])
      expect(await db.rows(`select 1 from ${table} where user_id = $1`, [user.id])).toEqual([]);
    expect((await app.inject(avatar)).statusCode).toBe(404);
    expect(await context.providers.pictures.get(picture)).toBeUndefined();
    expect(await db.one('select * from users where id = $1', [user.id])).toMatchObject({
      id_card_cipher: null,
      id_card_masked: '',
      password_hash: null,
      is_usable: 0,
    });
    const adjusted = "user_id = $1 and action = 'wallet.adjust' and subject like 'erased-%'";
    expect(await db.rows(`select 1 from audit_log where ${adjusted}`, [user.id])).toHaveLength(1);
    const orders = 'select 1 from orders where user_id = $1 and snapshot is not null';
    expect(await db.rows(orders, [user.id])).toHaveLength(3);

    expect((await signIn(user)).code).toBe(41001);
    const code = await testApp().codeFor(user.phone);
    const account = { phone: user.phone, password: 'another-password', verify: code };
    const registered = await testApp().post('app/register', account);
    expect(registered.code).toBe(200);
    const token = registered.data.access_token;
    const info = (await testApp().get('user/info', { token })).data;
    expect(info.id).not.toBe(user.id);
    expect((await testApp().get('order/list', { token })).data.total).toBe(0);
  });

  it('erasing an account changes only texts of append-only tables', async () => {
    const user = await shopper();
    const { db } = testApp();
    for (const [table, set] of [
      ['audit_log', "action = 'x'"],
      ['ledger_transactions', 'type = 3'],
      ['ledger_entries', 'amount = 1'],
      ['order_events', 'status = 60'],
      ['person_notes', 'at = now()'],
    ]) {
      await expect(
        db.script(`do $$ begin perform set_config('shop.erasing', 'on', true); update ${table} set ${set}; end $$`),
      ).rejects.toThrow('append-only');
    }
    for (const statement of ["update audit_log set subject = ''", "update person_notes set note = ''"])
      await expect(db.script(statement)).rejects.toThrow('append-only');
    expect((await user.get('user/info')).code).toBe(200);
  });
});
