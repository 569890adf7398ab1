import { deliver, refund } from '../../test/support/money-back';
import { onEveryDatabase, type User } from '../../test/support/test-app';

onEveryDatabase('order notices', (testApp) => {
  const unread = async (user: User) => (await user.get('user/info')).data.unread_notices;
  const notices = async (user: User, locale = 'zh-CN') =>
    (await user.get('order/notices', { locale })).data as { list: Array<Record<string, unknown>>; unread: number };
  const waiting = (user: User) => user.bought(testApp().orderBody('manual'));

  it('order notices say what happened, to the owner only, and count as unread until they are read', async () => {
    const [ann, bob] = [await testApp().user(10_000), await testApp().user()];
    const first = await waiting(ann);
    expect(await notices(ann)).toEqual({ list: [], unread: 0 });
    await deliver(testApp().context, first);
    const second = await waiting(ann);
    await refund(testApp().context, second);
    const { list } = await notices(ann, 'en');
    expect(list.map(({ order_no, kind, text, read }) => ({ order_no, kind, text, read }))).toEqual([
      { order_no: second, kind: 'refunded', text: 'Refunded to your wallet', read: false },
      { order_no: first, kind: 'delivered', text: 'Delivered', read: false },
    ]);
    expect(await unread(ann)).toBe(2);
    expect([await notices(bob), await unread(bob)]).toEqual([{ list: [], unread: 0 }, 0]);

    expect((await ann.post('order/notices/read', { last_id: list[1]?.id })).data).toEqual({ unread: 1 });
    expect(await unread(ann)).toBe(1);
    expect((await ann.post('order/notices/read', { last_id: Number.MAX_SAFE_INTEGER })).data).toEqual({ unread: 0 });
    await deliver(testApp().context, await waiting(ann));
    expect(await unread(ann)).toBe(1);
    expect((await notices(ann)).list.map(({ read }) => read)).toEqual([false, true, true]);
  });

  it('order notices do not count a code that was on the screen as soon as it was paid for', async () => {
    const user = await testApp().user(5000);
    const orderNo = await user.bought();
    expect(await notices(user)).toMatchObject({ list: [{ kind: 'delivered', read: true }], unread: 0 });
    await refund(testApp().context, orderNo);
    expect(await notices(user)).toMatchObject({ list: [{ kind: 'refunded', read: false }, {}], unread: 1 });
  });

  it('order notices report an order that expired, not one that the shopper cancelled', async () => {
    const user = await testApp().user();
    const cancelled = (await user.order()).data.order_no;
    await user.post('order/cancel', { order_no: cancelled });
    const late = (await user.order()).data.order_no;
    await testApp().db.one("select order_close(id, 1, 'job') from orders where order_no = $1", [late]);
    expect((await notices(user)).list).toMatchObject([
      { order_no: late, kind: 'closed', text: '超时未付款，订单已关闭' },
    ]);
  });

  it('order notices are the latest 50 of 90 days', async () => {
    const user = await testApp().user(5000);
    const orderNo = await waiting(user);
    const event = (at: string, n: number) =>
      testApp().db.run(
        `insert into order_events (order_id, kind, status, delivery_status, at)
           select id, 'refund_refused', 12, 10, ${at} from orders, generate_series(1, ${n}) where order_no = $1`,
        [orderNo],
      );
    await event("now() - interval '91 days'", 3);
    expect((await notices(user)).list).toEqual([]);
    await event('now()', 60);
    const { list, unread: count } = await notices(user);
    expect([list.length, count]).toEqual([50, 60]);
  });
});

onEveryDatabase('recent orders', (testApp) => {
  const recent = async (user: User, currency = 'CNY') =>
    (await user.get('order/recent', { currency })).data as Array<Record<string, unknown>>;

  it('recent orders list each choice once, latest first, paid ones only, with its current price', async () => {
    const user = await testApp().user(100_000);
    const { direct, card } = testApp().goods;
    const top = (uid: string) =>
      user.order({ goods_id: direct.id, spec_id: testApp().spec('direct'), fields: { uid, secret: 'hush' } });
    expect(await recent(user)).toEqual([]);
    for (const uid of ['13812345678', 'second', '13812345678']) {
      const { data } = await top(uid);
      expect((await user.pay(data.order_no)).code).toBe(200);
    }
    const cards = (await user.order({ quantity: 2 })).data.order_no;
    expect((await user.pay(cards)).code).toBe(200);
    await top('never paid');
    const list = await recent(user);
    expect(list.map(({ goods_id, account, price, available }) => ({ goods_id, account, price, available }))).toEqual([
      { goods_id: card.id, account: '', price: '20.00', available: true },
      { goods_id: direct.id, account: '13812345678', price: '6.00', available: true },
      { goods_id: direct.id, account: 'second', price: '6.00', available: true },
    ]);
    expect(JSON.stringify(list)).not.toContain('hush');
    expect(await recent(user, 'USD')).toMatchObject([{ price: '3.00' }, { price: '1.50' }, { price: '1.50' }]);
    expect(await recent(await testApp().user())).toEqual([]);
  });

  it('recent orders say when the same cannot be bought any more', async () => {
    const user = await testApp().user(100_000);
    await user.bought();
    const available = async () => (await recent(user))[0]?.available;
    await testApp().setStock(0);
    expect(await available()).toBe(false);
    await testApp().setStock(50);
    expect(await available()).toBe(true);
    await testApp().db.run('update goods_specs set active = false where id = $1', [testApp().spec('card')]);
    expect(await available()).toBe(false);
    await testApp().db.run('update goods_specs set active = true where id = $1', [testApp().spec('card')]);
  });
});

onEveryDatabase('redeem steps', (testApp) => {
  it('redeem steps appear with the goods and with the codes, in the language of the request, one step per line', async () => {
    await testApp().db.run('update goods set redeem_zh = $2, redeem_en = $3 where id = $1', [
      testApp().goods.card.id,
      '打开官网\n\n输入卡密 ',
      'Open the site\nEnter the code',
    ]);
    const user = await testApp().user(5000);
    const orderNo = await user.bought();
    expect((await testApp().get(`goods/info?id=${testApp().goods.card.id}`)).data.redeem).toEqual([
      '打开官网',
      '输入卡密',
    ]);
    const verify = await testApp().codeFor(user.phone, 'cards');
    const shown = await user.post('order/cards', { order_no: orderNo, verify }, { locale: 'en' });
    expect(shown.data).toMatchObject({ cards: [{}], redeem: ['Open the site', 'Enter the code'] });
    expect((await testApp().get(`goods/info?id=${testApp().goods.direct.id}`)).data.redeem).toEqual([]);
  });
});
