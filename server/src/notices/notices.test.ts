import { MailServer, type ReceivedMail } from '../../test/support/doubles/mail-server';
import { deliver, refund } from '../../test/support/money-back';
import { reachableByMail } from '../../test/support/reachable';
import { onEveryDatabase, type TestApp, type User } from '../../test/support/test-app';
import { withDouble } from '../../test/support/with-double';
import { releaseHeld } from '../holds/holds.service';
import { collectOrderNotices } from './collect-notices.service';
import { MAX_PER_DAY, sendNotices } from './send-notices.service';

const bought = (testApp: TestApp, user: User) => user.bought(testApp.orderBody('manual'));
const noticesOf = (testApp: TestApp, { id }: User) =>
  testApp.db.rows<{ kind: string; channel: string; state: string; detail: string; tries: number }>(
    'select kind, channel, state, detail, tries from notices where user_id = $1 order by id',
    [id],
  );
const dueNow = (testApp: TestApp) =>
  testApp.db.run("update notices set due_at = now() where state = 'waiting' and due_at > now()");
const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
const tokenIn = (text: string) => /token=(\S+)/.exec(text)?.[1] ?? '';

withDouble('notices by mail', new MailServer(), (testApp, server) => {
  beforeAll(() => collectOrderNotices(testApp().context));
  afterEach(async () => {
    server.reset();
    await testApp().db.run("update notices set state = 'dropped' where state = 'waiting'");
  });
  const run = async () => {
    await collectOrderNotices(testApp().context);
    await sendNotices(testApp().context).catch(() => undefined);
  };
  const mailsTo = (email: string) => server.received.filter(({ to }) => to.includes(email));
  const onlyMailTo = (email: string): ReceivedMail => {
    const [mail, ...more] = mailsTo(email);
    expect(more).toEqual([]);
    return mail as ReceivedMail;
  };

  it('notices by mail start once the owner confirmed the address by a mailed link, and following the link by GET confirms nothing', async () => {
    const user = await testApp().user(100_000);
    expect((await user.post('user/notices/email', {})).code).toBe(40001);
    const email = `first${user.id}@mail.example`;
    await user.post('user/info', { email });
    await deliver(testApp().context, await bought(testApp(), user), '');
    expect((await user.post('user/notices/email', {}, { locale: 'en' })).data).toEqual({ address: email });
    await run();
    const mail = onlyMailTo(email);
    expect(mail.subject).toMatch(/^Confirm your email address/);
    const url = `/api/front/notices/confirm?token=${tokenIn(mail.text)}`;
    const page = await testApp().get(url);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(email)]);
    expect((await user.get('user/notices')).data.mail).toEqual({ address: email, confirmed: false });
    expect((await testApp().post(url, '', form)).text).toContain('Your email address is confirmed.');
    expect((await user.get('user/notices')).data).toMatchObject({
      mail: { address: email, confirmed: true },
      push: null,
      language: 'en',
    });
    await deliver(testApp().context, await bought(testApp(), user), '');
    await run();
    expect(mailsTo(email).map(({ subject }) => subject)).toEqual([mail.subject, expect.stringMatching(/^Delivered: /)]);
  });

  it('a forged link or the link of another address does not confirm an address', async () => {
    const user = await testApp().user();
    await user.post('user/info', { email: `old${user.id}@mail.example` });
    await user.post('user/notices/email', {});
    await run();
    const token = tokenIn(onlyMailTo(`old${user.id}@mail.example`).text);
    await user.post('user/info', { email: 'victim@mail.example' });
    for (const forged of [token, `${token}x`, 'e30.x', token.replace('.', 'A.')])
      expect((await testApp().post(`/api/front/notices/confirm?token=${forged}`, '', form)).status).toBe(404);
    expect((await user.get('user/notices')).data.mail.confirmed).toBe(false);
  });

  it('confirmation mails are limited to five per user and three per mailbox a day, across accounts and spellings', async () => {
    const users = await Promise.all([1, 2].map(() => testApp().user()));
    const codes: number[] = [];
    for (const [index, spellings] of [
      ['Shared', 'sha.red'],
      ['shared+1', 's.hared+2'],
    ].entries())
      for (const spelling of spellings) {
        await users[index]?.post('user/info', { email: `${spelling}@mail.example` });
        codes.push((await users[index]?.post('user/notices/email', {}))?.code ?? 0);
      }
    expect(codes).toEqual([200, 200, 200, 42901]);
    const [user] = users as [User];
    for (let turn = 0; turn < 5; turn++) {
      await user.post('user/info', { email: `turn${turn}-${user.id}@mail.example` });
      codes.push((await user.post('user/notices/email', {})).code);
    }
    expect(codes.slice(4)).toEqual([200, 200, 200, 42901, 42901]);
  });

  it('mails report delivery, question and refund once in the user’s language, without codes or words of staff', async () => {
    const [zh, en] = [await reachableByMail(testApp()), await reachableByMail(testApp(), { locale: 'en' })];
    const delivered = await bought(testApp(), zh.user);
    await deliver(testApp().context, delivered, 'CODE-SECRET-1');
    const refunded = await bought(testApp(), zh.user);
    await refund(testApp().context, refunded, { reason: 'told CODE-SECRET-2' });
    const questionedOrder = await bought(testApp(), en.user);
    await testApp().db.run(
      `insert into order_events (order_id, kind, status, delivery_status, note, actor)
       select id, 'asked', 12, 10, 'is CODE-SECRET-3 yours?', 'staff' from orders where order_no = $1`,
      [questionedOrder],
    );
    for (let turn = 0; turn < 3; turn++) await run();
    const subjects = mailsTo(zh.email).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual([expect.stringMatching(/^已交付：/), expect.stringMatching(/^已退款至钱包：/)]);
    const mail = onlyMailTo(en.email);
    expect(mail.subject).toMatch(/^We have a question about your order: /);
    expect(mail.text).toContain(`https://shop.example/order/detail/${questionedOrder}`);
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(JSON.stringify(server.received)).not.toContain('CODE-SECRET');
  });

  it('mails report a code that was paid elsewhere or was on hold, but not one that is already on the screen', async () => {
    const { user, email } = await reachableByMail(testApp());
    await testApp().addStock(5);
    await user.bought();
    const { order_no } = (await user.order()).data;
    const { data } = await user.post('payment/online', { order_no, method: 'sandbox' });
    await testApp().post('payment/callback/sandbox', testApp().paidNotice(data.payment_no, 1000));
    expect((await user.info(order_no)).data.status).toBe(30);
    await testApp().setHolds({ cny_from: 1 });
    const onHold = await user.bought();
    await testApp().setHolds();
    await run();
    expect(onlyMailTo(email).text).toContain(order_no);
    const id = await testApp().value<number>('select id from orders where order_no = $1', [onHold]);
    expect(await releaseHeld(testApp().db, id, 'staff')).toBe(true);
    await run();
    expect(mailsTo(email)).toMatchObject([
      {},
      { subject: expect.stringMatching(/^已交付：/), text: expect.stringContaining(onHold) },
    ]);
  });

  it('only an unpaid order that is delivered later announces notices', async () => {
    const user = await testApp().user(100_000);
    const later = (await user.order(testApp().orderBody('manual'))).data.order_no;
    const codes = (await user.order()).data.order_no;
    expect((await user.info(later)).data.tells).toBe(true);
    expect((await user.info(codes)).data).not.toHaveProperty('tells');
    await user.pay(later);
    expect((await user.info(later)).data).not.toHaveProperty('tells');
  });

  it('mails end by one-click unsubscribe, by kind or for all, and by the settings', async () => {
    const { user, email } = await reachableByMail(testApp());
    await deliver(testApp().context, await bought(testApp(), user), '');
    await run();
    const address = onlyMailTo(email).headers['list-unsubscribe']?.slice(1, -1) ?? '';
    const { pathname, search } = new URL(address);
    const wanted = async () => {
      const kinds: Array<{ kind: string; mail: boolean }> = (await user.get('user/notices')).data.kinds;
      return Object.fromEntries(kinds.map(({ kind, mail }) => [kind, mail]));
    };
    expect((await testApp().get(pathname + search)).text).toContain('订单已交付');
    expect(await wanted()).toMatchObject({ delivered: true, refund: true });
    expect((await testApp().post(pathname + search, 'List-Unsubscribe=One-Click', form)).status).toBe(200);
    expect(await wanted()).toMatchObject({ delivered: false, refund: true });
    await deliver(testApp().context, await bought(testApp(), user), '');
    const last = await bought(testApp(), user);
    await collectOrderNotices(testApp().context);
    expect(mailsTo(email)).toHaveLength(1);
    const field = 'Content-Disposition: form-data; name="List-Unsubscribe"';
    const multipart = `--mail-program\r\n${field}\r\n\r\nOne-Click\r\n--mail-program--\r\n`;
    const asForm = { headers: { 'content-type': 'multipart/form-data; boundary=mail-program' } };
    expect((await testApp().post(`${pathname}${search}&all=1`, multipart, asForm)).status).toBe(200);
    expect(Object.values(await wanted())).not.toContain(true);
    await refund(testApp().context, last, { reason: '' });
    await user.post('user/notices', { choices: [{ kind: 'refund', channel: 'mail', on: true }] });
    await collectOrderNotices(testApp().context);
    await user.post('user/notices', { choices: [{ kind: 'refund', channel: 'mail', on: false }] });
    await sendNotices(testApp().context);
    expect(mailsTo(email)).toHaveLength(1);
    expect((await noticesOf(testApp(), user)).at(-1)).toMatchObject({ kind: 'refund', detail: 'not wanted' });
    expect((await testApp().post(`${pathname}?token=forged.x`, '', form)).status).toBe(404);
  });

  it('mails are sent once by servers that run at the same time', async () => {
    const { user, email } = await reachableByMail(testApp());
    for (let turn = 0; turn < 4; turn++) await deliver(testApp().context, await bought(testApp(), user), '');
    await Promise.all([1, 2, 3].map(() => collectOrderNotices(testApp().context)));
    await Promise.all([1, 2, 3].map(() => sendNotices(testApp().context)));
    expect(mailsTo(email)).toHaveLength(4);
    expect(new Set(mailsTo(email).map(({ headers }) => headers['message-id'])).size).toBe(4);
  });

  it('a mail is sent for an event that commits after later ones', async () => {
    const { user, email } = await reachableByMail(testApp());
    const early = await bought(testApp(), user);
    const { id } = await testApp().db.one<{ id: number }>('select max(id) as id from order_events');
    await testApp().db.run(
      `insert into order_events (order_id, kind, status, delivery_status)
       select id, 'delivered', 30, 20 from orders where order_no = $1`,
      [early],
    );
    await run();
    await testApp().db.run('update notice_progress set last_event = $1', [id]);
    await run();
    expect(mailsTo(email)).toHaveLength(1);
  });

  it('mails are retried with growing pauses while the mail server fails, and by the next server when one dies', async () => {
    const { user, email } = await reachableByMail(testApp());
    await deliver(testApp().context, await bought(testApp(), user), '');
    server.recipients = { status: 451, message: 'greylisted' };
    await collectOrderNotices(testApp().context);
    const pauses: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      await expect(sendNotices(testApp().context)).rejects.toThrow('greylisted');
      const minutes = 'select round(extract(epoch from due_at - now()) / 60)::integer from notices where user_id = $1';
      pauses.push(await testApp().value<number>(minutes, [user.id]));
      expect(await sendNotices(testApp().context)).toBe(0);
      await dueNow(testApp());
    }
    expect(pauses).toEqual([1, 5, 15]);
    server.recipients = undefined;
    await testApp().db.run("update notices set due_at = now() + interval '10 minutes' where user_id = $1", [user.id]);
    expect(await sendNotices(testApp().context)).toBe(0);
    await dueNow(testApp());
    expect(await sendNotices(testApp().context)).toBe(1);
    expect(onlyMailTo(email).subject).toMatch(/^已交付/);
  });

  it('a mail is repeated under the same message id if the mail server accepted it without answering', async () => {
    const { user, email } = await reachableByMail(testApp());
    await deliver(testApp().context, await bought(testApp(), user), '');
    server.losesAnswers = true;
    await run();
    server.losesAnswers = false;
    await dueNow(testApp());
    await run();
    const numbers = mailsTo(email).map(({ headers }) => headers['message-id']);
    expect(numbers).toHaveLength(2);
    expect(new Set(numbers).size).toBe(1);
  });

  it('mails stop at once for a permanently refused recipient, and after a day of failures', async () => {
    const { user } = await reachableByMail(testApp());
    await deliver(testApp().context, await bought(testApp(), user), '');
    server.recipients = { status: 550, message: 'no such user' };
    await run();
    expect(await noticesOf(testApp(), user)).toMatchObject([{ state: 'dropped', tries: 1 }]);
    await deliver(testApp().context, await bought(testApp(), user), '');
    server.recipients = { status: 451, message: 'later' };
    await run();
    for (let turn = 0; turn < 8; turn++) {
      await dueNow(testApp());
      await run();
    }
    expect((await noticesOf(testApp(), user))[1]).toMatchObject({ state: 'dropped', tries: 8 });
  });

  it('a user gets at most ten mails a day, also from servers that send at the same time', async () => {
    const { user, email } = await reachableByMail(testApp());
    const order = await bought(testApp(), user);
    await testApp().db.run(
      `insert into order_events (order_id, kind, status, delivery_status)
       select id, 'refund_refused', 12, 10 from orders, generate_series(1, 15) where order_no = $1`,
      [order],
    );
    await collectOrderNotices(testApp().context);
    await Promise.all([1, 2].map(() => sendNotices(testApp().context)));
    expect(mailsTo(email)).toHaveLength(MAX_PER_DAY.mail);
    const details = (await noticesOf(testApp(), user)).map(({ detail }) => detail);
    expect(details.filter((each) => each === 'too many in a day')).toHaveLength(5);
    await testApp().db.run("update notices set created_at = created_at - interval '25 hours' where user_id = $1", [
      user.id,
    ]);
    await deliver(testApp().context, order, '');
    await run();
    expect(mailsTo(email)).toHaveLength(MAX_PER_DAY.mail + 1);
  });
});

onEveryDatabase(
  'a shop without mail and push',
  (testApp) => {
    it('a shop without mail and push says so, stores nothing, and does not query the database', async () => {
      const user = await testApp().user();
      const rows = jest.spyOn(testApp().context.db, 'rows');
      for (const job of [collectOrderNotices, sendNotices]) expect(await job(testApp().context)).toBe(0);
      expect(rows).not.toHaveBeenCalled();
      rows.mockRestore();
      expect((await user.get('user/notices')).data).toEqual({ mail: null, push: null, kinds: [], language: 'zh-CN' });
      await user.post('user/notices', { choices: [{ kind: 'refund', channel: 'mail', on: true }] });
      expect(await testApp().db.rows('select 1 from notice_settings')).toEqual([]);
      const { order_no } = (await user.order(testApp().orderBody('manual'))).data;
      expect((await user.info(order_no)).data).not.toHaveProperty('tells');
      expect((await user.post('user/stockWish', { spec_id: testApp().spec('card') })).code).toBe(404);
      await testApp().setStock(0);
      expect((await testApp().get(`goods/info?id=${testApp().goods.card.id}`)).data).not.toHaveProperty('tells_stock');
    });
  },
  () => ({ MAIL: 'none' }),
);
