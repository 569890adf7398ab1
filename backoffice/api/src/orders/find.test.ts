import { markCodeTails } from '@shop/server/catalogue/goods.store';
import { tailMark } from '@shop/server/platform/crypto/keyring';
import { randomNumber } from '@shop/server/platform/crypto/tokens';
import { onEveryDatabase, type User } from '@shop/server/test/support/test-app';
import { auditEntries, type StaffMember, signedInStaff, withStaff } from '../testing/staff';
import type { FoundRecords } from './find.schemas';

onEveryDatabase('search at /staff', (testApp) => {
  const ann = withStaff(testApp, 'money');
  let user: User;
  let order: string;
  let payment: string;
  beforeAll(async () => {
    user = await testApp().user(5000);
    order = await user.bought();
    const recharge = await user.post('recharge/create', { amount: '10.00', method: 'sandbox' });
    payment = recharge.data.payment_no;
    await testApp().db.run("update payments set provider_ref = 'pi_Provider-0001' where payment_no = $1", [payment]);
    await testApp().db.run("update users set email = 'Fang.Wang@example.com', nickname = $2 where id = $1", [
      user.id,
      '<script>alert(1)</script>',
    ]);
  });
  const find = async (q: string): Promise<FoundRecords> => (await ann.get(`find?q=${encodeURIComponent(q)}`)).data;
  const orders = async (q: string) => (await find(q)).orders.map(({ order_no }) => order_no);
  const userIds = async (q: string) => (await find(q)).people.map(({ id }) => id);

  it('a search finds an order by its number, and by the last four characters of a code once the job has indexed it', async () => {
    const spelled = (blank: string) => order.toLowerCase().replace(/(.{4})/g, `$1${blank}`);
    for (const q of [` ${order.toLowerCase()} `, spelled(' '), spelled('\u2011'), `\u200b${order}`])
      expect([q, await orders(q)]).toEqual([q, [order]]);
    const { card_no: sealed, key_id } = await testApp().db.one<{ card_no: Buffer; key_id: string }>(
      'select card_no, key_id from card_codes where order_id = (select id from orders where order_no = $1)',
      [order],
    );
    const tail = testApp().context.keyring.decrypt(key_id, sealed).slice(-4);
    expect(await orders(tail)).toEqual([]);
    expect(await markCodeTails(testApp().context)).toBe(1);
    expect(await orders(tail.toLowerCase())).toEqual([order]);
    expect(await markCodeTails(testApp().context)).toBe(0);
    const mark = await testApp().db.value<Buffer>('select tail_mark from card_codes where tail_mark is not null');
    expect(mark).toEqual(tailMark(testApp().context.config.secret, tail));
    expect(mark).not.toEqual(tailMark('another secret', tail));
    expect([tailMark('s', 'a-b-1'), tailMark('s', 'xx-ab12')]).toEqual([undefined, tailMark('s', 'AB12')]);
  });

  it('a search finds a user by a phone of any country, email, payment and provider number, and masks the results', async () => {
    for (const q of [user.phone, `+86 ${user.phone}`, 'fang.wang@EXAMPLE.com', payment, 'pi_Provider-0001'])
      expect([q, await userIds(q)]).toEqual([q, [user.id]]);
    const abroad = await testApp().user();
    await testApp().db.run("update users set phone = '+14155552671' where id = $1", [abroad.id]);
    for (const q of ['+1 (415) 555-2671', '14155552671']) {
      const { data, text } = await ann.get(`find?q=${encodeURIComponent(q)}`);
      expect(data.people).toMatchObject([{ id: abroad.id, phone: '+14****2671' }]);
      expect(text).not.toContain('415555');
    }
    const { text } = await ann.get(`find?q=${user.phone}`);
    expect(text).not.toContain(user.phone);
    expect((await find(user.phone)).people[0]).toMatchObject({
      phone: `${user.phone.slice(0, 3)}****${user.phone.slice(-4)}`,
      email: 'Fa***@example.com',
      nickname: '<script>alert(1)</script>',
    });
  });

  it('a search finds users by sign-in email apart from users with that email in their profile, masked and audited', async () => {
    const [owner, stranger] = [await testApp().user(), await testApp().user()];
    await testApp().db.run("update users set phone = null, sign_in_email = 'jennifer@mail.example' where id = $1", [
      owner.id,
    ]);
    await testApp().db.run("update users set email = 'Jennifer@mail.example' where id = $1", [stranger.id]);
    const { people } = await find(' JENNIFER@mail.example ');
    expect(people.map(({ id, sign_in_email, email }) => ({ id, sign_in_email, email }))).toEqual(
      expect.arrayContaining([
        { id: owner.id, sign_in_email: 'je***@mail.example', email: '' },
        { id: stranger.id, sign_in_email: '', email: 'Je***@mail.example' },
      ]),
    );
    expect(people).toHaveLength(2);
    const { data, text } = await ann.get(`shopper/${owner.id}`);
    expect(data.user).toMatchObject({ phone: '', sign_in_email: 'je***@mail.example' });
    expect(text).not.toContain('jennifer');
    const entries = await auditEntries(testApp(), "action = 'person.find' and user_id = $1", owner.id);
    expect(entries).toMatchObject([{ detail: { by: 'email' } }]);
    for (const q of ['jennife_@mail.example', '%@mail.example', 'jennifer@mail.example.'])
      expect((await find(q)).people).toEqual([]);
  });

  it('a search finds an order by its payment number and by the supplier’s number', async () => {
    const { data } = await user.order({
      goods_id: testApp().goods.direct.id,
      spec_id: testApp().spec('direct'),
      fields: { uid: 'z' },
    });
    const paid = await user.post('payment/online', { order_no: data.order_no, method: 'sandbox' });
    expect(await orders(paid.data.payment_no)).toEqual([data.order_no]);
    await user.pay(data.order_no);
    const reference = `S-${randomNumber()}`;
    await testApp().db.run(
      'update supplier_requests set reference = $2 where order_id = (select id from orders where order_no = $1)',
      [data.order_no, reference],
    );
    expect(await orders(reference)).toEqual([data.order_no]);
  });

  it('a search for unknown text finds nothing, and one for less than four characters is refused', async () => {
    for (const q of ['13900000000', 'nobody@example.com', 'ZZZZ', "x' or 1=1 --", '%%%%', '中文中文'])
      expect([q, await find(q)]).toEqual([q, { orders: [], people: [] }]);
    expect((await ann.get('find?q=abc')).code).toBe(40001);
  });

  it('an order shows its timeline, payments, code views and staff actions', async () => {
    await testApp().db.run(
      "insert into audit_log (actor, action, subject, user_id) values ('user', 'cards.reveal', $1, $2)",
      [order, user.id],
    );
    const { data } = await ann.get(`order/${order}`);
    expect(data).toMatchObject({
      order: { order_no: order, status: 30, amount: '10.00', refunded: '0.00' },
      user: { id: user.id },
      reveals: [expect.any(String)],
      supplier: null,
      refunds: [],
    });
    expect(data.events.map((event: { text: string }) => event.text)).toEqual(['Order placed', 'Paid', 'Delivered']);
    expect((await ann.get(`order/${'A'.repeat(20)}`)).code).toBe(43404);
  });

  it('a note about a user keeps its author and time, and is audited', async () => {
    const ben = await signedInStaff(testApp(), 'seller');
    const guest = await testApp().user();
    const add = (member: StaffMember, note: string) => member.post('shopper/note', { id: guest.id, note });
    for (let time = 0; time < 2; time++) expect((await add(ann, ' calls <b>late</b> ')).code).toBe(200);
    expect((await add(ben, 'speaks English')).code).toBe(200);
    expect((await add(ben, '  ')).code).toBe(40001);
    expect((await ann.post('shopper/note', { id: 999_999_999, note: 'x' })).code).toBe(404);
    const notes = async () => (await ann.get(`shopper/${guest.id}`)).data.notes;
    expect(await notes()).toEqual([
      { id: expect.any(Number), at: expect.stringMatching(/Z$/), by: ben.name, note: 'speaks English' },
      { id: expect.any(Number), at: expect.stringMatching(/Z$/), by: ann.name, note: 'calls <b>late</b>' },
    ]);
    expect(await auditEntries(testApp(), "action = 'person.note' and user_id = $1", guest.id)).toMatchObject([
      { actor: ann.actor, detail: { note: 'calls <b>late</b>' } },
      { actor: ben.actor, detail: { note: 'speaks English' } },
    ]);
  });

  it('a user shows orders, wallet and ledger, coupons and sessions', async () => {
    const { data, text } = await ann.get(`shopper/${user.id}`);
    expect(data).toMatchObject({ user: { id: user.id }, sessions: [{ browser: expect.any(String) }] });
    expect(data.wallets).toContainEqual(expect.objectContaining({ currency: 'CNY', balance: await user.balance() }));
    expect(data.orders.map((order: { order_no: string }) => order.order_no)).toContain(order);
    expect(data.ledger).toContainEqual(expect.objectContaining({ order_no: order, amount: '-10.00', type: 0 }));
    for (const secret of [user.phone, user.token, 'token_hash', 'Fang.Wang']) expect(text).not.toContain(secret);
    expect((await ann.get('shopper/999999999')).code).toBe(404);
  });
});
