import { reachableByMail } from '../../test/support/reachable';
import { onEveryDatabase, type User } from '../../test/support/test-app';
import { sendNotices } from './send-notices.service';
import { notifyBackInStock } from './stock-wishes.service';

onEveryDatabase('back-in-stock notices', (testApp) => {
  const spec = () => testApp().spec('card');
  const request = (user: User) => user.post('user/stockWish', { spec_id: spec() });
  async function waiting(count: number) {
    const users = [];
    for (let n = 0; n < count; n++) {
      const reachable = await reachableByMail(testApp());
      expect((await request(reachable.user)).data).toEqual({ spec_id: spec(), waiting: true, channels: ['mail'] });
      users.push(reachable);
    }
    return users;
  }
  const notify = () => notifyBackInStock(testApp().context);
  const notified = async (users: { user: User }[]) => {
    const rows = await testApp().db.rows<{ user_id: number }>(
      'select user_id from stock_wishes where told_at is not null',
    );
    const ids = new Set(rows.map(({ user_id }) => user_id));
    return users.map(({ user }) => ids.has(user.id));
  };
  const later = () =>
    testApp().db.run("update stock_wishes set told_at = told_at - interval '31 minutes' where told_at is not null");
  beforeEach(async () => {
    await testApp().db.run('delete from stock_wishes');
    await testApp().setStock(0);
  });

  it('a back-in-stock request is offered for sold-out goods only, stored if its user can be notified, and shown to them', async () => {
    const info = async () => (await testApp().get(`goods/info?id=${testApp().goods.card.id}`)).data;
    expect(await info()).toMatchObject({ tells_stock: true });
    const { user } = await reachableByMail(testApp());
    await request(user);
    expect((await request(user)).data.waiting).toBe(true);
    const of = (who: User) => who.get(`user/stockWish?goods_id=${testApp().goods.card.id}`);
    expect((await of(user)).data).toEqual({ spec_ids: [spec()] });
    expect((await of(await testApp().user())).data).toEqual({ spec_ids: [] });
    await testApp().call('DELETE', `user/stockWish?spec_id=${spec()}`, undefined, { token: user.token });
    expect((await of(user)).data).toEqual({ spec_ids: [] });
    await testApp().setStock(50);
    expect((await request(user)).code).toBe(42204);
    expect(await info()).not.toHaveProperty('tells_stock');
    await testApp().setStock(0);
    expect((await request(await testApp().user())).data).toEqual({ spec_id: spec(), waiting: false, channels: [] });
    const { user: muted } = await reachableByMail(testApp());
    await muted.post('user/notices', { choices: [{ kind: 'back_in_stock', channel: 'mail', on: false }] });
    expect((await request(muted)).data.waiting).toBe(false);
    expect(await testApp().db.rows('select 1 from stock_wishes')).toEqual([]);
  });

  it('back-in-stock notices go to as many users as there are pieces, longest waiting first, and to the next while a piece is left', async () => {
    const users = await waiting(4);
    expect(await notify()).toBe(0);
    await testApp().addStock(2);
    await notify();
    expect(await notified(users)).toEqual([true, true, false, false]);
    expect(await notify()).toBe(0);
    expect((await users[0]?.user.bought())?.length).toBe(20);
    await notify();
    expect(await notified(users)).toEqual([true, true, false, false]);
    await later();
    await notify();
    expect(await notified(users)).toEqual([true, true, true, false]);
    await users[2]?.user.bought();
    await later();
    expect(await notify()).toBe(0);
    await testApp().addStock(1);
    await notify();
    expect(await notified(users)).toEqual([true, true, true, true]);
  });

  it('concurrent servers send no back-in-stock notice twice and no more than there are pieces', async () => {
    const users = await waiting(5);
    await testApp().addStock(3);
    await Promise.all([1, 2, 3].map(notify));
    await notify();
    expect((await notified(users)).filter(Boolean)).toHaveLength(3);
    for (let turn = 0; turn < 2; turn++) await sendNotices(testApp().context);
    for (const [index, { email }] of users.entries()) {
      const { text } = await testApp().get(`/dev/mails.json?to=${email}`);
      const subjects = JSON.parse(text).map(({ subject }: { subject: string }) => subject);
      expect(subjects).toEqual(index < 3 ? [expect.stringMatching(/^已到货：/)] : []);
    }
  });

  it('back-in-stock notices skip users who cannot be notified, and wait while the product is off shelf', async () => {
    const [first, second] = await waiting(2);
    await first?.user.post('user/info', { email: 'other@mail.example' });
    await testApp().addStock(1);
    const shelf = (status: number) =>
      testApp().db.run('update goods set status = $2 where id = $1', [testApp().goods.card.id, status]);
    await shelf(2);
    expect(await notify()).toBe(0);
    await shelf(1);
    await notify();
    expect(await notified([first, second] as { user: User }[])).toEqual([false, true]);
    await first?.user.post('user/info', { email: first.email });
    await later();
    await notify();
    expect(await notified([first] as { user: User }[])).toEqual([true]);
  });
});
