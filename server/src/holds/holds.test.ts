import { deliver, refund } from '../../test/support/money-back';
import { onEveryDatabase, type User } from '../../test/support/test-app';
import { heldBack } from '../../test/support/waiting-calls';
import { handlePaymentNotice } from '../payments/provider-notices.service';
import { endHolds } from './holds.service';

onEveryDatabase('orders on hold for review', (testApp) => {
  const db = () => testApp().db;
  const hold = (settings: Record<string, unknown>) => testApp().setHolds(settings);
  const orderOf = async (user: User, orderNo: string) => (await user.info(orderNo)).data;
  const reasonsOf = async (orderNo: string) =>
    (
      await db().row<{ reasons: string[] }>(
        'select reasons from order_holds h join orders o on o.id = h.order_id where o.order_no = $1',
        [orderNo],
      )
    )?.reasons;
  const pass = () => testApp().passHolds();

  beforeEach(() => hold({ cny_from: 2000 }));
  afterEach(() => testApp().check());

  it('no order goes on hold without hold settings or with settings that are off', async () => {
    const user = await testApp().user(20_000);
    for (const settings of [{}, { enabled: false, cny_from: 1, networks: true }]) {
      await hold(settings);
      expect(await orderOf(user, await user.bought({ quantity: 3 }))).toMatchObject({ status: 30, held: null });
    }
    await testApp().setHolds();
    expect(await orderOf(user, await user.bought({ quantity: 3 }))).toMatchObject({ status: 30, held: null });
  });

  it('an order on hold is paid and shows no code, on the page and in the list, for at most the minutes of the shop', async () => {
    const user = await testApp().user(10_000);
    const orderNo = await user.bought({ quantity: 2 });
    const order = await orderOf(user, orderNo);
    expect(order).toMatchObject({ status: 12, delivery_status: 10, held: { minutes: 30 }, cards_count: 0 });
    expect(order.actions).toMatchObject({ reveal: false, refund: true, delete: false });
    expect(order.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['created', 'paid', 'held']);
    const { list } = (await user.get('order/list?tab=processing')).data;
    expect(list).toMatchObject([{ order_no: orderNo, held: { minutes: 30 } }]);
    const codes = await user.post('order/cards', { order_no: orderNo });
    expect([codes.code, codes.data]).toEqual([43020, null]);
    expect(await reasonsOf(orderNo)).toEqual(['amount']);
    expect((await orderOf(user, await user.bought())).status).toBe(30);
  });

  it('an order goes on hold in the transaction that pays it, however often and by whom it is paid', async () => {
    const user = await testApp().user(10_000);
    const { data } = await user.order({ quantity: 2 });
    const answers = await Promise.all(Array.from({ length: 4 }, () => user.pay(data.order_no)));
    for (const answer of answers) expect(answer.data).toMatchObject({ status: 12, delivery_status: 10 });
    const online = (await user.order({ quantity: 3 })).data;
    const opened = await user.post('payment/online', { order_no: online.order_no, method: 'sandbox' });
    const notice = testApp().paidNotice(opened.data.payment_no, 3000);
    await Promise.all([notice, notice].map((body) => testApp().post('payment/callback/sandbox', body)));
    expect(await orderOf(user, online.order_no)).toMatchObject({ status: 12, held: { minutes: 30 } });
    expect(await db().rows('select 1 from supplier_requests')).toEqual([]);
  });

  it('an order on hold is released once by either staff or the job: its codes appear and the buyer gets a notice', async () => {
    const user = await testApp().user(10_000);
    const orderNo = await user.bought({ quantity: 2 });
    await pass();
    await Promise.all([endHolds(testApp().context), endHolds(testApp().context), endHolds(testApp().context)]);
    const order = await orderOf(user, orderNo);
    expect(order).toMatchObject({ status: 30, held: null, cards_count: 2 });
    const kinds = order.timeline.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(['created', 'paid', 'held', 'released', 'delivered']);
    const { list } = (await user.get('order/notices')).data;
    expect(list).toMatchObject([{ kind: 'delivered', order_no: orderNo, read: false }]);
  });

  it('an order on hold goes to its supplier only after the release, and staff cannot deliver it before', async () => {
    await hold({ cny_from: 500 });
    const user = await testApp().user(10_000);
    const direct = await user.bought({ ...testApp().orderBody('direct'), fields: { uid: '1' } });
    const manual = await user.bought(testApp().orderBody('manual'));
    const requests = () =>
      db().rows('select 1 from supplier_requests r join orders o on o.id = r.order_id where o.order_no = $1', [direct]);
    expect(await requests()).toEqual([]);
    expect(await deliver(testApp().context, manual)).toBe(false);
    await pass();
    await endHolds(testApp().context);
    expect(await requests()).toHaveLength(1);
    expect(await deliver(testApp().context, manual)).toBe(true);
  });

  it('an order on hold is refunded at its end if the shop chose so, and the user’s other unpaid orders are closed for their risk', async () => {
    await hold({ cny_from: 2000, at_end: 'refund' });
    const user = await testApp().user(10_000);
    const orderNo = await user.bought({ quantity: 2 });
    const unpaid = (await user.order()).data.order_no;
    await pass();
    await Promise.all([endHolds(testApp().context), endHolds(testApp().context)]);
    expect(await orderOf(user, orderNo)).toMatchObject({
      status: 60,
      held: null,
      refund: { reason: '付款核查未通过' },
    });
    expect(await user.balance()).toBe('100.00');
    expect(await orderOf(user, unpaid)).toMatchObject({ status: 10, close_reason: 3 });
  });

  it.each([
    ['the buyer asked for it', 'changed my mind'],
    ['staff refund it for another reason', 'out of stock'],
  ])(
    'an order on hold refunded because %s is no sign of fraud: no other order is closed, and its IP prefix is not suspicious',
    async (_why, reason) => {
      await hold({ cny_from: 2000, networks: true });
      const user = await testApp().user(20_000);
      const orderNo = await user.bought({ quantity: 2 });
      const unpaid = (await user.order()).data.order_no;
      if (reason === 'changed my mind') {
        await user.post('order/refundApply', { order_no: orderNo, reason });
        await pass();
        await endHolds(testApp().context);
      } else await refund(testApp().context, orderNo, { reason });
      expect(await orderOf(user, orderNo)).toMatchObject({ status: 60, held: null, refund: { reason } });
      expect(await user.balance()).toBe('200.00');
      expect(await orderOf(user, unpaid)).toMatchObject({ status: 10, close_reason: 0 });
      expect(await reasonsOf(await user.bought())).toBeUndefined();
    },
  );

  it('an order on hold gives back refunded units and releases the others', async () => {
    const user = await testApp().user(10_000);
    const orderNo = await user.bought({ quantity: 3 });
    await refund(testApp().context, orderNo, { quantity: 1 });
    await pass();
    await endHolds(testApp().context);
    expect(await orderOf(user, orderNo)).toMatchObject({ status: 30, cards_count: 2, refunded_amount: '10.00' });
  });

  it('an order on hold ends once when it is released and refunded at the same time', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => testApp().user(10_000)));
    const orders = await Promise.all(users.map((user) => user.bought({ quantity: 2 })));
    await pass();
    await Promise.all([
      endHolds(testApp().context),
      ...orders.map((orderNo) => refund(testApp().context, orderNo)),
      endHolds(testApp().context),
    ]);
    for (const [index, user] of users.entries()) {
      expect(await user.balance()).toBe('100.00');
      expect((await orderOf(user, orders[index] ?? '')).status).toBe(60);
    }
  });

  it('an order on hold waits while its payment is disputed', async () => {
    const user = await testApp().user(10_000);
    const orderNo = await user.bought({ quantity: 2 });
    await db().run('update orders set disputed = true where order_no = $1', [orderNo]);
    await pass();
    await endHolds(testApp().context);
    expect((await orderOf(user, orderNo)).status).toBe(12);
    await db().run('update orders set disputed = false where order_no = $1', [orderNo]);
    await endHolds(testApp().context);
  });

  it.each([
    ['the amount, to the cent', { cny_from: 2001 }, 2, undefined],
    ['the amount, to the cent', { cny_from: 2000 }, 2, ['amount']],
    ['the amount of the other currency', { usd_from: 1 }, 2, undefined],
    ['a new account', { new_account_hours: 1 }, 1, ['new-account']],
    ['codes of an hour', { codes_per_hour: 4 }, 4, undefined],
    ['codes of an hour', { codes_per_hour: 4 }, 5, ['codes']],
    ['several rules', { cny_from: 1000, codes_per_hour: 1 }, 2, ['amount', 'codes']],
  ])('an order goes on hold by the rule of %s: %j', async (_name, settings, quantity, reasons) => {
    await hold(settings);
    const user = await testApp().user(10_000);
    expect(await reasonsOf(await user.bought({ quantity }))).toEqual(reasons);
  });

  it('hold rules count the codes that the user bought before, and ignore accounts that are old enough', async () => {
    await hold({ codes_per_hour: 3, new_account_hours: 2 });
    const user = await testApp().user(20_000);
    await db().run("update users set created_at = clock_timestamp() - interval '3 hours' where id = $1", [user.id]);
    expect(await reasonsOf(await user.bought({ quantity: 2 }))).toBeUndefined();
    expect(await reasonsOf(await user.bought({ quantity: 2 }))).toEqual(['codes']);
  });

  it('hold rules count the codes of two orders of one buyer whose payments arrive at once', async () => {
    await hold({ codes_per_hour: 3 });
    const user = await testApp().user();
    const opened = async () => {
      const { order_no } = (await user.order({ quantity: 2 })).data;
      const { data } = await user.post('payment/online', { order_no, method: 'sandbox' });
      return { order_no, notice: testApp().paidNotice(data.payment_no, 2000) };
    };
    const orders = [await opened(), await opened()];
    await heldBack(
      db(),
      // A payment writes its events last, so both payments are still open while they wait for this lock.
      (sql) => sql.script('lock table order_events in share mode'),
      ...orders.map(
        ({ notice }) =>
          () =>
            testApp().post('payment/callback/sandbox', notice),
      ),
    );
    const reasons = await Promise.all(orders.map(({ order_no }) => reasonsOf(order_no)));
    expect(reasons.filter(Boolean)).toEqual([['codes']]);
  });

  it('hold rules use the country that the provider reports, which is kept only while a rule asks for it', async () => {
    await hold({ countries: ['CN', 'HK'] });
    const user = await testApp().user();
    const paid = async (country: string | undefined, reference: string) => {
      const { data } = await user.order();
      const opened = await user.post('payment/online', { order_no: data.order_no, method: 'sandbox' });
      const notice = { payment_no: opened.data.payment_no, amount: 1000, currency: 'CNY', paid: true, reference };
      await handlePaymentNotice(db(), 'sandbox', { ...notice, ...(country && { country }) });
      return reasonsOf(data.order_no);
    };
    expect(await paid('US', 'country-1')).toEqual(['country']);
    expect(await paid('HK', 'country-2')).toBeUndefined();
    expect(await paid(undefined, 'country-3')).toBeUndefined();
    const kept = () => db().rows('select 1 from payment_countries');
    expect(await kept()).toHaveLength(2);
    await hold({ cny_from: 100_000 });
    expect(await paid('US', 'country-4')).toBeUndefined();
    expect(await kept()).toHaveLength(2);
  });

  it('hold rules match an IP prefix from which an order was refunded after review', async () => {
    await hold({ cny_from: 2000, networks: true, at_end: 'refund' });
    const user = await testApp().user(20_000);
    expect(await reasonsOf(await user.bought())).toBeUndefined();
    await user.bought({ quantity: 2 });
    await pass();
    await endHolds(testApp().context);
    expect(await reasonsOf(await user.bought())).toEqual(['network']);
    const other = await testApp().user(20_000);
    expect(await reasonsOf(await other.bought())).toBeUndefined();
  });
});
