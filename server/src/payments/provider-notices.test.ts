import { staffOrder } from '@shop/backoffice/orders/find.service';
import { until } from '../../../scripts/jest/until';
import { AlipayDouble } from '../../test/support/doubles/alipay';
import { secondsNow } from '../../test/support/doubles/double';
import { FaultySupplier } from '../../test/support/doubles/faulty-supplier';
import { StripeDouble } from '../../test/support/doubles/stripe';
import { WechatPayDouble } from '../../test/support/doubles/wechat-pay';
import { paidBack, refund } from '../../test/support/money-back';
import { paying } from '../../test/support/paying';
import type { ProviderNotice, TestApp, User } from '../../test/support/test-app';
import { heldBack, waitingCalls } from '../../test/support/waiting-calls';
import { withDouble } from '../../test/support/with-double';
import { endHolds, releaseHeld } from '../holds/holds.service';
import type { RefundNotice } from '../providers/providers';
import { serveSuppliers } from '../suppliers/suppliers.service';
import { sendRefunds } from './provider-calls.service';
import { handleNotice } from './provider-notices.service';
import { reconcile } from './reconcile.service';

const usd = { currency: 'USD', locale: 'en' };
const shuffled = <T>(items: T[]) => [...items.slice(1), ...items.slice(0, 1), ...items];

const ledger = (testApp: TestApp, account: string) =>
  testApp.value<number>('select coalesce(sum(amount), 0)::bigint from ledger_entries where account = $1', [account]);

withDouble('refunds and disputes reported by Stripe', new StripeDouble(), (testApp, stripe) => {
  afterEach(() => testApp().check());
  const { notify: report, info, balance, pay, recharge, recharged, ordered, ...shop } = paying(testApp, stripe);
  const paid = async (buyer?: User, selection: Record<string, unknown> = { quantity: 2 }) =>
    shop.paid(buyer ?? (await testApp().user()), selection);
  const unreported = async () => {
    const user = await testApp().user();
    const payment = await recharge(user);
    await pay(payment);
    return { user, payment };
  };
  const disputeOf = (payment: string, amount: number) => ({ id: `dp_${payment}`, amount });
  const dispute = (payment: string, amount: number) =>
    report(stripe.disputeEvent(payment, 'created', disputeOf(payment, amount)));
  const endDispute = (payment: string, amount: number, status: string) =>
    report(stripe.disputeEvent(payment, 'closed', { ...disputeOf(payment, amount), status }));
  const differences = async () =>
    (await reconcile(testApp().context, new Date().toISOString().slice(0, 10)))[0]?.differences ?? [];
  const paidAtSupplier = async () => {
    const { context, db } = testApp();
    const supplier = new FaultySupplier();
    await testApp().setCounter(null);
    const placed = await paid(undefined, { ...testApp().orderBody('direct'), fields: { uid: '1' } });
    const serve = async () => {
      await db.run("update supplier_requests set next_at = clock_timestamp() where next_at < 'infinity'");
      await serveSuppliers({ ...context, providers: { ...context.providers, supplierFor: () => supplier } });
    };
    return { ...placed, supplier, serve };
  };
  const refundOnItsWay = async (order: string) => {
    stripe.unreachable = true;
    const sent = await refund(testApp().context, order, { amount: 100, target: 'source' });
    stripe.unreachable = false;
    return sent;
  };

  it.each([
    ['eur', 1842, '18.42 EUR'],
    ['jpy', 2995, '2995 JPY'],
    ['kwd', 6145, '6.145 KWD'],
  ])(
    'a payment in %s, another currency, settles nothing, and staff see both amounts once',
    async (currency, amount_total, reported) => {
      const { user, payment } = await unreported();
      for (let turn = 0; turn < 2; turn++)
        expect(await report(stripe.notice(payment, { session: { currency, amount_total } }))).toMatchObject({
          code: 45011,
        });
      expect(await balance(user)).toBe('0.00');
      const flags = await testApp().db.rows(
        "select subject, detail from audit_log where action = 'payment.mismatch' and user_id = $1",
        [user.id],
      );
      expect(flags).toEqual([
        { subject: payment, detail: expect.objectContaining({ reported, expected: '20.00 USD', method: 'stripe' }) },
      ]);
    },
  );

  it('a Stripe refund is booked once, in any order and however often Stripe reports it', async () => {
    const { user, order, payment } = await paid();
    const cash = await ledger(testApp(), 'cash');
    const events = [stripe.refundEvent(payment, 100), stripe.refundEvent(payment, 250)];
    for (const event of shuffled(events)) expect((await report(event)).status).toBe(200);
    const data = await info(user, order);
    expect(data).toMatchObject({ status: 30, refunded_amount: '2.50', cards_count: 2 });
    expect(data.refunds.map((entry: { target: string; state: string }) => [entry.target, entry.state])).toEqual([
      ['source', 'done'],
    ]);
    expect(data.timeline.at(-1).text).toBe('Partly refunded to your original payment method $2.50');
    expect((await ledger(testApp(), 'cash')) - cash).toBe(250);
    await Promise.all([1, 2, 3].map(() => report(stripe.refundEvent(payment, 300))));
    expect(await info(user, order)).toMatchObject({ status: 60, refunded_amount: '3.00', cards_count: 0 });
    expect(await balance(user)).toBe('0.00');
    expect((await staffOrder(testApp().context, order, 'en')).payments).toMatchObject([{ paid_back: '3.00' }]);
  });

  it('a Stripe refund is booked in full while a refund of the shop is pending, which is then refused', async () => {
    const { user, order, payment } = await paid();
    await refundOnItsWay(order);
    stripe.refundByHand(payment, 300);
    await report(stripe.refundEvent(payment, 300));
    await shop.askNext();
    await sendRefunds(testApp().context);
    expect((await staffOrder(testApp().context, order, 'en')).payments).toMatchObject([{ paid_back: '3.00' }]);
    expect([await balance(user), (await info(user, order)).refunded_amount]).toEqual(['0.00', '3.00']);
  });

  it('a Stripe refund is not booked again when a refund of the shop fails whose sum Stripe had already reported', async () => {
    const { user, order, payment } = await paid();
    stripe.refundsPend = true;
    const { refund_no } = await refund(testApp().context, order, { amount: 100, target: 'source' });
    stripe.refundsPend = false;
    stripe.refundByHand(payment, 50);
    const before = stripe.refundEvent(payment, 150);
    await report(before);
    stripe.endRefund(payment, refund_no, false);
    await report(stripe.refundNotice(payment, refund_no));
    expect((await report(before)).data).toEqual({ result: 'duplicate' });
    expect([await balance(user), (await info(user, order)).refunded_amount]).toEqual(['1.00', '1.50']);
    await report(stripe.refundEvent(payment, 80, secondsNow() + 60));
    expect([await balance(user), (await info(user, order)).refunded_amount]).toEqual(['1.00', '1.80']);
  });

  it('a Stripe refund is debited from the wallet that got the money before, and the uncovered part is the shop’s loss', async () => {
    const user = await testApp().user(9000);
    const { order, payment } = await paid(user);
    await refund(testApp().context, order);
    expect(await balance(user)).toBe('3.00');
    await report(stripe.refundEvent(payment, 100));
    expect(await balance(user)).toBe('2.00');
    const { data: spent } = await user.order({ quantity: 1 }, usd);
    await user.pay(spent.order_no, usd);
    const loss = await ledger(testApp(), 'loss');
    for (const sum of [250, 300]) await report(stripe.refundEvent(payment, sum));
    expect(await balance(user)).toBe('0.00');
    expect((await ledger(testApp(), 'loss')) - loss).toBe(-150);
    expect(await user.balance()).toBe('90.00');
    const booked = await testApp().db.rows(
      'select r.amount, r.lost from provider_refunds r join payments p on p.id = r.payment_id where p.payment_no = $1 order by r.id',
      [payment],
    );
    expect(booked).toEqual([
      { amount: 100, lost: 0 },
      { amount: 150, lost: 100 },
      { amount: 50, lost: 50 },
    ]);
  });

  it('a Stripe refund returns the units that the shop had not refunded yet', async () => {
    const { user, order, payment } = await paid();
    await refund(testApp().context, order, { quantity: 1, target: 'source' });
    expect(await info(user, order)).toMatchObject({ status: 30, refunded_amount: '1.50', cards_count: 1 });
    await report(stripe.refundEvent(payment, 300));
    const data = await info(user, order);
    expect(data).toMatchObject({ status: 60, refunded_amount: '3.00', cards_count: 0 });
    expect(data.refunds.map((entry: { quantity: number }) => entry.quantity)).toEqual([1, 1]);
  });

  it('a Stripe refund or dispute of a payment that went to the wallet does not change the order that the wallet paid', async () => {
    const user = await testApp().user();
    const topUp = await recharged(user);
    const { order, payment } = await ordered(user, { quantity: 2 });
    await pay(payment);
    expect((await user.pay(order, usd)).code).toBe(200);
    await report(stripe.notice(payment));
    expect(await balance(user)).toBe('20.00');
    await dispute(payment, 200);
    expect([await balance(user), (await info(user, order)).disputed]).toEqual(['18.00', false]);
    await endDispute(payment, 200, 'won');
    await report(stripe.refundEvent(payment, 100));
    expect([await balance(user), (await info(user, order)).refunded_amount]).toEqual(['19.00', '0.00']);
    await paidBack(testApp().context, topUp, 100);
    expect(await balance(user)).toBe('18.00');
  });

  it('a refund or dispute is refused before the payment’s own notice so that Stripe repeats it, and above the paid amount', async () => {
    const { user, payment } = await unreported();
    expect(await report(stripe.refundEvent(payment, 500))).toMatchObject({ status: 400, code: 43020 });
    expect(await dispute(payment, 2000)).toMatchObject({ status: 400, code: 43404 });
    await report(stripe.notice(payment));
    expect(await report(stripe.refundEvent(payment, 2001))).toMatchObject({ status: 400, code: 45011 });
    expect(await dispute(payment, 2001)).toMatchObject({ status: 400, code: 45011 });
    expect([(await report(stripe.refundEvent(payment, 500))).status, await balance(user)]).toEqual([200, '15.00']);
    expect([(await dispute(payment, 1500)).status, await balance(user)]).toEqual([200, '0.00']);
    await endDispute(payment, 1500, 'won');
  });

  it('a disputed order shows no code and cannot be refunded or supplied, and continues when the dispute is won', async () => {
    const { user, order, payment } = await paid(await testApp().user(0, 'secret-1234'));
    const cards = () => user.post('order/cards', { order_no: order, password: 'secret-1234' }, usd);
    const money = async () => [await ledger(testApp(), 'cash'), await ledger(testApp(), 'disputed')];
    const before = await money();
    for (let time = 0; time < 2; time++) await dispute(payment, 300);
    const onHold = await info(user, order);
    expect(onHold).toMatchObject({ status: 30, disputed: true, actions: { reveal: false, refund: false } });
    expect(onHold.timeline.filter((event: { kind: string }) => event.kind === 'disputed')).toHaveLength(1);
    expect((await cards()).code).toBe(43024);
    await expect(refund(testApp().context, order)).rejects.toMatchObject({ message: '43024' });
    await expect(paidBack(testApp().context, payment, 100)).rejects.toMatchObject({ message: '43024' });
    for (let time = 0; time < 2; time++) await endDispute(payment, 300, 'won');
    expect((await cards()).data.cards).toHaveLength(2);
    const won = await info(user, order);
    expect(won).toMatchObject({ disputed: false, actions: { reveal: true, refund: true } });
    expect(won.timeline.filter((event: { kind: string }) => event.kind === 'dispute_won')).toHaveLength(1);
    expect(await money()).toEqual(before);
    expect(await refund(testApp().context, order, { target: 'source' })).toMatchObject({ state: 'done' });
  });

  it('an order stays disputed until the last of its disputes has ended', async () => {
    const { user, order, payment } = await paid();
    const other = await paid();
    const [first, second] = [
      { id: `dp_1_${payment}`, amount: 100 },
      { id: `dp_2_${payment}`, amount: 150 },
    ];
    for (const each of [first, second]) await report(stripe.disputeEvent(payment, 'created', each));
    await dispute(other.payment, 100);
    await report(stripe.disputeEvent(payment, 'funds_withdrawn', second));
    await report(stripe.disputeEvent(payment, 'closed', { ...first, status: 'won' }));
    expect(await info(user, order)).toMatchObject({ disputed: true, refunded_amount: '0.00' });
    await report(stripe.disputeEvent(payment, 'closed', { ...second, status: 'lost' }));
    expect(await info(user, order)).toMatchObject({ disputed: false, refunded_amount: '1.50', status: 30 });
    const booked = `select d.provider_id as id, d.state, d.withdrawn, d.amount from payment_disputes d
      join payments p on p.id = d.payment_id where p.payment_no = $1 order by d.id`;
    expect(await testApp().db.rows(booked, [payment])).toEqual([
      { ...first, state: 'won', withdrawn: false },
      { ...second, state: 'lost', withdrawn: true },
    ]);
    await expect(paidBack(testApp().context, payment, 50)).rejects.toMatchObject({ message: '43024' });
    const { order: undisputed } = await paid();
    expect(await refund(testApp().context, undisputed, { target: 'source' })).toMatchObject({ state: 'done' });
  });

  it.each(['in order', 'backwards'])('a lost dispute reported %s and twice is booked once', async (how) => {
    const { user, order, payment } = await paid();
    const [cash, disputed] = [await ledger(testApp(), 'cash'), await ledger(testApp(), 'disputed')];
    const events = ['created', 'funds_withdrawn', 'closed'].map((change) =>
      stripe.disputeEvent(payment, change, { ...disputeOf(payment, 300), status: 'lost' }),
    );
    for (const event of how === 'backwards' ? [...events].reverse() : events) await report(event);
    for (const event of shuffled(events)) expect((await report(event)).status).toBe(200);
    const data = await info(user, order);
    expect(data).toMatchObject({ status: 60, disputed: false, refunded_amount: '3.00', cards_count: 0 });
    expect(data.timeline.at(-1).kind).toBe('dispute_lost');
    expect((await ledger(testApp(), 'cash')) - cash).toBe(300);
    expect(await ledger(testApp(), 'disputed')).toBe(disputed);
    expect((await staffOrder(testApp().context, order, 'en')).payments).toMatchObject([
      { disputes: `dp_${payment} lost fraudulent` },
    ]);
  });

  it('a disputed recharge is frozen in the wallet, then debited if lost or released if won', async () => {
    const user = await testApp().user(100);
    const disputed = await ledger(testApp(), 'disputed');
    const [lost, won] = [await recharged(user), await recharged(user)];
    for (const payment of [lost, won]) {
      await dispute(payment, 2000);
      await report(stripe.disputeEvent(payment, 'funds_withdrawn', disputeOf(payment, 2000)));
    }
    expect((await user.get('user/info', usd)).data).toMatchObject({ balance: '0.00' });
    await endDispute(lost, 2000, 'lost');
    expect(await balance(user)).toBe('0.00');
    for (let time = 0; time < 2; time++)
      await report(stripe.disputeEvent(won, 'funds_reinstated', disputeOf(won, 2000)));
    await endDispute(won, 2000, 'won');
    expect(await balance(user)).toBe('20.00');
    expect([await user.balance(), await ledger(testApp(), 'disputed')]).toEqual(['1.00', disputed]);
  });

  it('a disputed recharge freezes the remaining wallet balance, and the rest is booked as a loss if the dispute is lost', async () => {
    const user = await testApp().user();
    const payment = await recharged(user);
    const { data: spent } = await user.order({ quantity: 10 }, usd);
    expect((await user.pay(spent.order_no, usd)).code).toBe(200);
    const loss = await ledger(testApp(), 'loss');
    await dispute(payment, 2000);
    expect(await balance(user)).toBe('0.00');
    for (const change of ['funds_withdrawn', 'closed'])
      await report(stripe.disputeEvent(payment, change, { ...disputeOf(payment, 2000), status: 'lost' }));
    expect([await balance(user), (await ledger(testApp(), 'loss')) - loss]).toEqual(['0.00', -1500]);
    const stored = 'select state, frozen, lost from payment_disputes where provider_id = $1';
    const ended = { state: 'lost', frozen: 0, lost: 1500 };
    expect(await testApp().db.one(stored, [`dp_${payment}`])).toEqual(ended);
    const late = await recharged(user, '1.50');
    await user.pay((await user.order({}, usd)).data.order_no, usd);
    await dispute(late, 150);
    await endDispute(late, 150, 'won');
    expect(await balance(user)).toBe('0.00');
  });

  it('a payment that becomes disputed at the same time cannot be refunded', async () => {
    const user = await testApp().user();
    const payment = await recharged(user);
    const book = "select dispute_book(id, $2, $3, '', 'opened') from payments where payment_no = $1";
    const refunding = heldBack(
      testApp().db,
      (sql) => sql.one(book, [payment, `dp_${payment}`, 500]),
      () => paidBack(testApp().context, payment, 1000),
    );
    await expect(refunding).rejects.toMatchObject({ message: '43024' });
    expect(await balance(user)).toBe('15.00');
    await endDispute(payment, 500, 'won');
  });

  it('a dispute or refund takes only the remaining balance of a wallet that is used at the same time', async () => {
    const { db } = testApp();
    const [user, other] = [await testApp().user(), await testApp().user()];
    const [disputed, refunded] = [await recharged(user), await recharged(other)];
    const spentBefore = async (notice: ProviderNotice, spender: User) => {
      const { both } = await db.withTransaction(async (sql) => {
        const waits = (count: number) => until(`${count} to wait`, async () => (await waitingCalls(db, sql)) === count);
        await sql.row("select 1 from wallets where user_id = $1 and currency = 'USD' for update", [spender.id]);
        const spent = spender.give(-1500, 'USD');
        await waits(1);
        const both = Promise.all([report(notice), spent]);
        await waits(2);
        return { both };
      });
      const [response] = await both;
      return response;
    };
    const responses = [
      await spentBefore(stripe.disputeEvent(disputed, 'created', disputeOf(disputed, 2000)), user),
      await spentBefore(stripe.refundEvent(refunded, 2000), other),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect([await balance(user), await balance(other)]).toEqual(['0.00', '0.00']);
    const lost = 'select lost from provider_refunds r join payments p on p.id = r.payment_id where p.payment_no = $1';
    expect(await testApp().db.rows(lost, [refunded])).toEqual([{ lost: 1500 }]);
    await endDispute(disputed, 2000, 'won');
    expect(await balance(user)).toBe('5.00');
  });

  it('a refund is booked once if Stripe reports the next sum before the first is committed, and so is a payment', async () => {
    const { user, payment } = await unreported();
    const paidBy = stripe.sessionOf(payment).payment_intent;
    const [again] = await heldBack(
      testApp().db,
      (sql) => sql.one('select payment_end(id, true, $2) from payments where payment_no = $1', [payment, paidBy]),
      () => report(stripe.notice(payment)),
    );
    expect([again?.data, await balance(user)]).toEqual([{ result: 'duplicate' }, '20.00']);
    const book = "select provider_refund_book(id, 'total-100', null, 100) from payments where payment_no = $1";
    await heldBack(
      testApp().db,
      (sql) => sql.one(book, [payment]),
      () => report(stripe.refundEvent(payment, 300)),
    );
    expect(await balance(user)).toBe('17.00');
  });

  it('the end of a refund locks the order before the payment, so that it cannot deadlock with a payment', async () => {
    const { db } = testApp();
    const { user, order, payment } = await paid();
    const { refund_no } = await refundOnItsWay(order);
    const { refused } = await db.withTransaction(async (sql) => {
      await sql.one('select 1 from orders where order_no = $1 for update', [order]);
      const refused = db.one("select payment_refund_end($1, 'refused', 'refused')", [refund_no]);
      refused.catch(() => {});
      await until('the end of the refund to wait', async () => (await waitingCalls(db, sql)) === 1);
      await sql.one('select 1 from payments where payment_no = $1 for update', [payment]);
      return { refused };
    });
    await refused;
    expect(await balance(user)).toBe('1.00');
  });

  it('a refund or dispute is refused for an unknown payment and for one that brought no money', async () => {
    const { db } = testApp();
    await recharged(await testApp().user());
    const user = await testApp().user();
    const payment = await recharge(user);
    const start = (paymentNo: string) =>
      db.run("select payment_refund_start($1, $2, 1, '', 'test')", [paymentNo, `none-${payment}`]);
    await expect(start('A'.repeat(20))).rejects.toMatchObject({ message: '43404' });
    await expect(start(payment)).rejects.toMatchObject({ message: '43020' });
    const book = "select dispute_book(id, 'dp_none', 100, '', 'opened') from payments where payment_no = $1";
    await expect(db.run(book, [payment])).rejects.toMatchObject({ message: '43020' });
  });

  it('the database refuses changes to a payment that has ended, and to its amount and currency', async () => {
    const user = await testApp().user();
    const ended = await recharged(user);
    const payment = await recharge(user);
    const change = (set: string, paymentNo: string) =>
      testApp().db.run(`update payments set ${set} where payment_no = $1`, [paymentNo]);
    await expect(change("state = 'failed'", ended)).rejects.toThrow('does not change');
    await expect(change('amount = amount + 1', payment)).rejects.toThrow('does not change');
    await expect(change("currency = 'CNY'", payment)).rejects.toThrow('does not change');
    expect(await change('asks = asks + 1', payment)).toBe(1);
  });

  it('a refund of the shop is booked once, by its own sum and currency, and not if it failed', async () => {
    const { db } = testApp();
    const { user, order, payment } = await paid();
    const { refund_no } = await refundOnItsWay(order);
    const common = { about: 'refund', payment_no: payment, id: `re_${payment}`, currency: 'USD' } as const;
    const shopRefund = { ...common, refund_no, state: 'done', amount: 100 } as const;
    const take = (notice: RefundNotice, method = 'stripe') => handleNotice(db, method, notice);
    await expect(take({ ...shopRefund, amount: 99 })).rejects.toMatchObject({ code: 45011 });
    await expect(take({ ...shopRefund, currency: 'CNY' })).rejects.toMatchObject({ code: 45011 });
    await expect(take(shopRefund, 'wechat')).rejects.toMatchObject({ code: 43404 });
    expect([await take(shopRefund), await take(shopRefund)]).toEqual(['done', 'duplicate']);
    const providerRefund = { ...common, refund_no: 'of-the-provider', amount: 50 } as const;
    expect(await take({ ...providerRefund, state: 'failed' })).toBe('nothing');
    expect(await info(user, order)).toMatchObject({ refunded_amount: '1.00' });
    const done = { ...providerRefund, state: 'done' } as const;
    expect([await take(done), await take(done)]).toEqual(['refunded', 'duplicate']);
    expect(await info(user, order)).toMatchObject({ refunded_amount: '1.50' });
  });

  it('the reason of a dispute is stored up to a hundred characters', async () => {
    const { db } = testApp();
    const payment = await recharged(await testApp().user());
    const reference = stripe.sessionOf(payment).payment_intent as string;
    const notice = { about: 'dispute', reference, id: `dp_${payment}`, amount: 1, currency: 'USD' } as const;
    const take = (change: 'opened' | 'won') =>
      handleNotice(db, 'stripe', { ...notice, change, reason: 'r'.repeat(101) });
    expect([await take('opened'), await take('opened'), await take('won')]).toEqual(['opened', 'duplicate', 'won']);
    const kept = 'select reason from payment_disputes where provider_id = $1';
    expect(await db.one(kept, [notice.id])).toEqual({ reason: 'r'.repeat(100) });
  });

  it('a refund report leaves an order open only if its supplier may still deliver', async () => {
    const { user, order, payment, supplier, serve } = await paidAtSupplier();
    supplier.plan = () => 'slow';
    const other = await paid(user);
    await serve();
    await report(stripe.refundEvent(payment, 150));
    await report(stripe.refundEvent(other.payment, 300));
    expect(await info(user, order)).toMatchObject({ status: 12, refunded_amount: '1.50' });
    expect(await info(user, other.order)).toMatchObject({ status: 60, refunded_amount: '3.00' });
    for (let time = 0; time < 3; time++) await serve();
    expect([supplier.of(order).sent, (await info(user, order)).status]).toEqual([1, 30]);
  });

  it('a lost dispute leaves the coupon of its order used', async () => {
    const { db } = testApp();
    const user = await testApp().user();
    const id = await testApp().addCoupon({ reduce: 100, min: 200, currency: 'USD' });
    await user.post('coupon/receive', { coupon_id: id }, usd);
    const { payment } = await paid(user);
    await dispute(payment, 200);
    await endDispute(payment, 200, 'lost');
    const coupon =
      'select c.use_status, o.status from user_coupons c join orders o on o.id = c.order_id where c.user_id = $1';
    expect(await db.row(coupon, [user.id])).toEqual({ use_status: 2, status: 60 });
  });

  it('an order on hold whose dispute is partly lost keeps its codes, whether staff or the job releases it', async () => {
    const { context, db } = testApp();
    await testApp().setHolds({ usd_from: 100 });
    const { user, order, payment } = await paid();
    await dispute(payment, 100);
    await endDispute(payment, 100, 'lost');
    await testApp().passHolds();
    for (const at_end of ['release', 'refund']) {
      await testApp().setHolds({ usd_from: 100, at_end });
      await endHolds(context);
    }
    const id = await testApp().value<number>('select id from orders where order_no = $1', [order]);
    expect(await releaseHeld(db, id, 'staff')).toBe(false);
    expect(await info(user, order)).toMatchObject({ status: 12, cards_count: 0, refunded_amount: '1.00' });
    expect(await refund(context, order)).toMatchObject({ amount: 200, quantity: 2 });
    await testApp().setHolds();
  });

  it('reconciliation finds money for a closed or failed payment by the provider’s reference', async () => {
    const { db } = testApp();
    for (const state of ['closed', 'failed']) {
      const { user, payment } = await unreported();
      if (state === 'failed')
        await report(stripe.notice(payment, { type: 'checkout.session.expired', session: { payment_intent: null } }));
      else await db.run("update payments set state = 'closed' where payment_no = $1", [payment]);
      for (let time = 0; time < 2; time++) await report(stripe.notice(payment));
      const before = await balance(user);
      const { status } = await dispute(payment, 500);
      expect([state, status, before, await balance(user)]).toEqual([state, 200, '20.00', '15.00']);
      const { payment_intent } = stripe.sessionOf(payment);
      expect((await differences()).filter(({ number }) => number === payment_intent)).toEqual([]);
    }
  });

  it('a disputed order is not sent to its supplier', async () => {
    const { user, order, payment, supplier, serve } = await paidAtSupplier();
    await dispute(payment, 150);
    await serve();
    expect([supplier.of(order).sent, (await info(user, order)).status]).toEqual([0, 12]);
    await endDispute(payment, 150, 'warning_closed');
    await serve();
    expect([supplier.of(order).sent, (await info(user, order)).status]).toEqual([1, 30]);
  });
});

withDouble(
  'refunds reported by WeChat Pay',
  new WechatPayDouble(),
  (testApp, wechat) => {
    afterEach(() => testApp().check());
    const { notify: report, paid } = paying(testApp, wechat);

    it('a WeChat Pay refund is booked once per refund, and refused if it is forged or too large', async () => {
      const user = await testApp().user();
      const { order, payment } = await paid(user);
      const [first, second] = [
        { refundNo: `console-1-${payment}`, id: `5030-1-${payment}`, amount: 400 },
        { refundNo: `console-2-${payment}`, id: `5030-2-${payment}`, amount: 600 },
      ];
      for (const refused of [
        { mchid: '1900000002' },
        { apiV3Key: '0'.repeat(32) },
        { privateKey: wechat.merchant.privateKey },
      ])
        expect((await report(wechat.refundNotice(payment, first, refused))).status).toBe(400);
      for (const refundOne of [second, second, first])
        expect((await report(wechat.refundNotice(payment, refundOne))).status).toBe(200);
      expect((await user.info(order)).data).toMatchObject({
        status: 60,
        refunded_amount: '10.00',
        refunds: [{ amount: '6.00' }, { amount: '4.00' }],
      });
      const third = { refundNo: 'console-3', id: `5030-3-${payment}`, amount: 1 };
      expect(await report(wechat.refundNotice(payment, third))).toMatchObject({ status: 400, code: 45011 });
    });

    it('a WeChat Pay refund that the merchant must complete stays pending, notifies staff once, and ends with its notice', async () => {
      const user = await testApp().user();
      const { order, payment } = await paid(user);
      wechat.refundsPend = true;
      const { refund_no } = await refund(testApp().context, order, { target: 'source', amount: 400 });
      wechat.refundsPend = false;
      wechat.setRefund(payment, refund_no, 'ABNORMAL');
      for (let time = 0; time < 2; time++) await sendRefunds(testApp().context, refund_no);
      const state = async () => (await user.info(order)).data.refunds[0].state;
      expect([await state(), await user.balance()]).toEqual(['pending', '0.00']);
      const notices = await testApp().db.rows(
        "select channel, data ->> 'payment_no' as payment from notices where kind = 'staff_refund'",
      );
      expect(notices).toEqual([{ channel: 'webhook', payment }]);
      await report(wechat.refundNotice(payment, { refundNo: refund_no, id: `50-${payment}`, amount: 400 }));
      expect(await state()).toBe('done');
    });
  },
  {
    STAFF_WEBHOOK_URL: 'https://hooks.example/shop',
    STAFF_WEBHOOK_SECRET: 'a-secret-of-more-than-32-letters-for-tests',
  },
);

withDouble('refunds reported by Alipay', new AlipayDouble(), (testApp, alipay) => {
  it('an Alipay refund is booked once, by the sum that its notices carry', async () => {
    const { notify, paid } = paying(testApp, alipay);
    const { user, order, payment } = await paid(await testApp().user());
    const refunded = (sum: string, trade_status = 'TRADE_SUCCESS') => {
      const fields = { refund_fee: sum, gmt_refund: '2026-11-22 08:00:00.000', out_biz_no: `c-${sum}`, trade_status };
      return notify(alipay.notice(payment, fields));
    };
    for (const sum of ['3.00', '3.00', '7.00', '3.00']) expect((await refunded(sum)).text).toBe('success');
    expect((await user.info(order)).data).toMatchObject({ status: 30, refunded_amount: '7.00' });
    expect((await refunded('10.00', 'TRADE_CLOSED')).text).toBe('success');
    expect((await user.info(order)).data).toMatchObject({
      status: 60,
      refunded_amount: '10.00',
      cards_count: 0,
    });
    await testApp().check();
  });
});
