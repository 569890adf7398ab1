import { AlipayDouble } from '../../test/support/doubles/alipay';
import { keyPair, secondsNow } from '../../test/support/doubles/double';
import { StripeDouble } from '../../test/support/doubles/stripe';
import { WechatPayDouble } from '../../test/support/doubles/wechat-pay';
import { paidBack } from '../../test/support/money-back';
import { type PaymentDouble, paying } from '../../test/support/paying';
import type { ProviderNotice, User } from '../../test/support/test-app';
import { times } from '../../test/support/times';
import { withDouble } from '../../test/support/with-double';
import { closeUnpaid } from '../jobs/jobs';
import { askPayments } from '../payments/provider-calls.service';

interface Rig<T extends PaymentDouble = PaymentDouble> {
  double: T;
  acknowledged: RegExp;
  closed?(double: T, paymentNo: string): ProviderNotice;
  forged(double: T, paymentNo: string, otherDouble: T): Record<string, ProviderNotice>;
  /** Each is refused with PaidAmountMismatch, and one for an unknown order with OrderNotFound. */
  mismatched(double: T, paymentNo: string): Record<string, ProviderNotice>;
  refunded(double: T, paymentNo: string): number;
  refundEnded?(double: T, paymentNo: string, refundNo: string, done: boolean): ProviderNotice;
}

const UNKNOWN = 'ABCDEFGH12345678ABCD';

const wechat: Rig<WechatPayDouble> = {
  double: new WechatPayDouble(),
  acknowledged: /"code":"SUCCESS"/,
  forged: (double, no) => {
    const good = double.notice(no);
    const without = (name: string) => ({
      ...good,
      headers: Object.fromEntries(Object.entries(good.headers).filter(([header]) => header !== name)),
    });
    return {
      'another key': double.notice(no, { privateKey: keyPair().privateKey }),
      'the merchant’s key': double.notice(no, { privateKey: double.merchant.privateKey }),
      'an unknown serial': double.notice(no, { serial: 'PUB_KEY_ID_0000' }),
      'a name of every object as serial': double.notice(no, { serial: 'constructor' }),
      'a changed body': { ...good, body: good.body.replace('支付成功', '支付成功 ') },
      'no signature': without('wechatpay-signature'),
      'no time': without('wechatpay-timestamp'),
      'an empty signature': { ...good, headers: { ...good.headers, 'wechatpay-signature': '' } },
      'six minutes ago': double.notice(no, { timestamp: secondsNow() - 360 }),
      'six minutes ahead': double.notice(no, { timestamp: secondsNow() + 360 }),
      'another merchant': double.notice(no, { mchid: '1900000002' }),
      'another app': double.notice(no, { appid: 'wx000000000000000f' }),
      'another encryption key': double.notice(no, { apiV3Key: '0'.repeat(32) }),
      'no body': { ...good, body: '' },
    };
  },
  mismatched: (double, no) => ({
    'a smaller amount': double.notice(no, { total: 1 }),
    'a larger amount': double.notice(no, { total: 100_000 }),
    'another currency': double.notice(no, { currency: 'USD' }),
    'an unknown order': double.notice(no, { out_trade_no: UNKNOWN }),
  }),
  refunded: (double, no) => sum(double.orders.get(no)?.refunds.values()),
  refundEnded: (double, no, refundNo, done) => {
    const amount = double.orders.get(no)?.refunds.get(refundNo) ?? 0;
    return double.refundNotice(no, { refundNo, amount, status: done ? 'SUCCESS' : 'CLOSED' });
  },
};

const alipay: Rig<AlipayDouble> = {
  double: new AlipayDouble(),
  acknowledged: /^success$/,
  closed: (double, no) => double.notice(no, { trade_status: 'TRADE_CLOSED' }),
  forged: (double, no, otherDouble) => {
    const good = double.notice(no);
    const change = (edit: (fields: URLSearchParams) => void) => {
      const fields = new URLSearchParams(good.body);
      edit(fields);
      return { ...good, body: fields.toString() };
    };
    return {
      'another key': double.notice(no, {}, keyPair().privateKey),
      'the merchant’s key': double.notice(no, {}, double.merchant.privateKey),
      'a changed amount': change((fields) => fields.set('total_amount', '0.01')),
      'no signature': change((fields) => fields.delete('sign')),
      'an empty signature': change((fields) => fields.set('sign', '')),
      'the weaker algorithm': change((fields) => fields.set('sign_type', 'RSA')),
      'an unknown algorithm': change((fields) => fields.set('sign_type', 'none')),
      'another app': double.notice(no, { app_id: '2021000000000009' }),
      'another seller': double.notice(no, { seller_id: '2088000000000009' }),
      'another Alipay': double.notice(no, {}, otherDouble.platform.privateKey),
      'no body': { ...good, body: '' },
    };
  },
  mismatched: (double, no) => ({
    'a smaller amount': double.notice(no, { total_amount: '0.01' }),
    'a larger amount': double.notice(no, { total_amount: '1000.00' }),
    'an unknown order': double.notice(no, { out_trade_no: UNKNOWN }),
  }),
  refunded: (double, no) => sum(double.trades.get(no)?.refunds.values()),
};

const stripe: Rig<StripeDouble> = {
  double: new StripeDouble(),
  acknowledged: /"code":200/,
  closed: (double, no) =>
    double.notice(no, { type: 'checkout.session.expired', session: { payment_status: 'unpaid', status: 'expired' } }),
  forged: (double, no, otherDouble) => {
    const good = double.notice(no);
    return {
      'another secret': double.notice(no, { secret: otherDouble.webhookSecret }),
      'an empty secret': double.notice(no, { secret: '' }),
      'a changed body': { ...good, body: good.body.replace('"paid"', '"paid" ') },
      'no signature': { ...good, headers: { 'content-type': 'application/json' } },
      'an empty signature': { ...good, headers: { ...good.headers, 'stripe-signature': '' } },
      'a signature of another scheme': {
        ...good,
        headers: {
          ...good.headers,
          'stripe-signature': String(good.headers['stripe-signature']).replace('v1=', 'v0='),
        },
      },
      'six minutes ago': double.notice(no, { timestamp: secondsNow() - 360 }),
      'the other mode': double.notice(no, { livemode: true }),
      'another reference': double.notice(no, { session: { client_reference_id: UNKNOWN } }),
      'no body': { ...good, body: '' },
    };
  },
  mismatched: (double, no) => ({
    'a smaller amount': double.notice(no, { session: { amount_total: 1 } }),
    'a larger amount': double.notice(no, { session: { amount_total: 100_000 } }),
    'another currency': double.notice(no, { session: { currency: 'cny' } }),
    'an unknown order': double.notice(no, {
      session: { client_reference_id: UNKNOWN, metadata: { payment_no: UNKNOWN } },
    }),
  }),
  refunded: (double, no) => double.refundedOf(double.sessionOf(no)),
  refundEnded: (double, no, refundNo) => double.refundNotice(no, refundNo),
};

const sum = (numbers: Iterable<number> | undefined) =>
  [...(numbers ?? [])].reduce((total, number) => total + number, 0);

describe.each([wechat, alipay, stripe] as unknown as Rig[])('payments by $double.code', (rig) => {
  const otherDouble = new (rig.double.constructor as new () => PaymentDouble)();

  withDouble('payments', rig.double, (testApp, double) => {
    beforeEach(() => {
      Object.assign(double, { unreachable: false, losesAnswers: false, refundsPend: false });
      double.refusals.length = 0;
    });
    afterEach(() => testApp().check());
    const { options, notify, balance, cashier, visit, pay, settle, recharge, recharged, askNext, ...shop } = paying(
      testApp,
      double,
    );
    const { code } = double;
    const ordered = async (user: User) => {
      const placed = await shop.ordered(user);
      expect((await visit(placed.payment)).statusCode).toBe(303);
      return placed;
    };
    const stateOf = async (user: User, paymentNo: string) =>
      (await user.get(`payment/status?payment_no=${paymentNo}`, options)).data.state;

    it('payments are offered for the currencies they accept, and pay an order', async () => {
      const user = await testApp().user();
      const { data: methods } = await user.get('payment/methods?scene=order', options);
      expect(methods).toContainEqual(expect.objectContaining({ code, enabled: true }));
      const { order: orderNo, payment: paymentNo } = await ordered(user);
      double.pay(paymentNo);
      const answer = await notify(double.notice(paymentNo));
      expect([answer.status, rig.acknowledged.test(answer.text)]).toEqual([200, true]);
      expect((await user.info(orderNo)).data).toMatchObject({
        status: 30,
        payment: { method: code, payment_no: paymentNo },
      });
      expect(await stateOf(user, paymentNo)).toBe('paid');
      expect((await cashier(paymentNo)).headers.location).toBe(`/#/pages/order/pay-success?id=${orderNo}`);
      expect(double.refusals).toEqual([]);
    });

    it('payments ignore forged, unsigned, stale and foreign notifications, and a wrong amount, currency or order', async () => {
      const user = await testApp().user();
      const { order: orderNo, payment: paymentNo } = await ordered(user);
      double.pay(paymentNo);
      const forged = Object.entries(rig.forged(double as never, paymentNo, otherDouble as never));
      const refused = [
        ...forged.map(([what, notice]) => [what, notice, 403] as const),
        ...Object.entries(rig.mismatched(double as never, paymentNo)).map(
          ([what, notice]) => [what, notice, what === 'an unknown order' ? 43404 : 45011] as const,
        ),
      ];
      for (const [what, notice, code] of refused) {
        const answer = await notify(notice);
        expect([what, answer.status, answer.code]).toEqual([what, 400, code]);
      }
      expect([await stateOf(user, paymentNo), await balance(user)]).toEqual(['pending', '0.00']);
      expect((await user.info(orderNo)).data.status).toBe(10);
      expect((await notify(double.notice(paymentNo))).status).toBe(200);
      expect((await user.info(orderNo)).data.status).toBe(30);
    });

    it('a payment credits once, however often, concurrently and in any order its notifications arrive', async () => {
      const user = await testApp().user();
      const payment = await recharge(user);
      await pay(payment);
      const answers = await times(10, () => notify(double.notice(payment)));
      expect(answers.every((answer) => answer.status === 200)).toBe(true);
      if (rig.closed) expect((await notify(rig.closed(double as never, payment))).status).toBe(200);
      await notify(double.notice(payment));
      expect([await balance(user), await stateOf(user, payment)]).toEqual(['20.00', 'paid']);
    });

    it('a payment that arrives after the provider reported its failure goes into the wallet, once', async () => {
      if (!rig.closed) return;
      const user = await testApp().user();
      const { order, payment } = await ordered(user);
      double.pay(payment);
      expect((await notify(rig.closed(double as never, payment))).status).toBe(200);
      const answers = await times(4, () => notify(double.notice(payment)));
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
      expect(await balance(user)).toBe(options.currency === 'CNY' ? '10.00' : '1.50');
      expect(await stateOf(user, payment)).toBe('failed');
      expect((await user.info(order)).data.status).toBe(10);
    });

    it('the job and the return page query payments whose notification is lost', async () => {
      const user = await testApp().user();
      const { order, payment } = await ordered(user);
      double.pay(payment);
      await askNext();
      await times(3, () => askPayments(testApp().context));
      expect((await user.info(order)).data.status).toBe(30);
      const two = await ordered(user);
      double.pay(two.payment);
      const back = await testApp().app.inject(`/cashier/${two.payment}/return`);
      expect(back.headers.location).toBe(`/#/pages/order/pay-success?id=${two.order}`);
      expect((await user.info(two.order)).data.status).toBe(30);
      await notify(double.notice(two.payment));
      expect(await balance(user)).toBe('0.00');
    });

    it('an abandoned payment is closed at the provider, so that no shopper pays without an order', async () => {
      const user = await testApp().user();
      const cancelled = await ordered(user);
      await user.post('order/cancel', { order_no: cancelled.order }, options);
      const overdue = await ordered(user);
      await testApp().expire(overdue.order);
      await closeUnpaid(testApp().db);
      await askNext();
      await askPayments(testApp().context);
      for (const { payment: paymentNo } of [cancelled, overdue]) {
        expect(await stateOf(user, paymentNo)).toBe('closed');
        expect(() => double.pay(paymentNo)).toThrow('nothing to pay');
        expect((await cashier(paymentNo)).body).toContain('This payment is closed');
      }
    });

    it('payments survive a provider that does not respond, or acts without a response', async () => {
      const user = await testApp().user();
      const { order, payment } = await shop.ordered(user);
      if (code !== 'alipay') {
        for (const fault of ['unreachable', 'losesAnswers'] as const) {
          double[fault] = true;
          const page = await cashier(payment);
          expect([page.statusCode, page.body.includes('Try again')]).toEqual([502, true]);
          double[fault] = false;
        }
      }
      await pay(payment);
      double.unreachable = true;
      await askNext();
      await expect(askPayments(testApp().context)).rejects.toThrow('did not answer');
      expect((await cashier(`${payment}/return`)).statusCode).toBe(303);
      double.unreachable = false;
      await askNext();
      await askPayments(testApp().context);
      expect((await user.info(order)).data.status).toBe(30);
    });

    it('a payment is refunded to its origin once, and at most by the paid amount', async () => {
      const user = await testApp().user();
      const payment = await recharge(user, '50.00');
      const back = (amount: number) => paidBack(testApp().context, payment, amount);
      await expect(back(100)).rejects.toMatchObject({ message: '43020' });
      await settle(payment);
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => back(2000)));
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(2);
      expect(rig.refunded(double as never, payment)).toBe(4000);
      expect(await balance(user)).toBe('10.00');
      double.losesAnswers = true;
      await back(1000);
      double.losesAnswers = false;
      await askNext();
      await askPayments(testApp().context);
      expect(rig.refunded(double as never, payment)).toBe(5000);
      expect(await balance(user)).toBe('0.00');
      await expect(back(1)).rejects.toMatchObject({ message: '45011' });
      const states = await testApp().db.rows<{ state: string }>(
        'select r.state from payment_refunds r join payments p on p.id = r.payment_id where p.payment_no = $1',
        [payment],
      );
      expect(states.map((refund) => refund.state)).toEqual(['done', 'done', 'done']);
    });

    async function pendingRefund(user: User) {
      const paymentNo = await recharged(user, '50.00');
      double.refundsPend = true;
      const refundNo = await paidBack(testApp().context, paymentNo, 2000);
      const { db } = testApp();
      const stored = 'select state from payment_refunds where refund_no = $1';
      const state = async () => (await db.one<{ state: string }>(stored, [refundNo])).state;
      const ask = async () => {
        await db.run('update payment_refunds set ask_at = clock_timestamp() where refund_no = $1', [refundNo]);
        await askPayments(testApp().context);
        return [await state(), rig.refunded(double as never, paymentNo), await balance(user)];
      };
      return { paymentNo, refundNo, ask, state };
    }

    it('a refund pending for three days is made once, and the shop learns its end by querying', async () => {
      const { paymentNo, refundNo, ask } = await pendingRefund(await testApp().user());
      for (let day = 0; day < 3; day++) {
        expect(await ask()).toEqual(['pending', 2000, '30.00']);
        if (double instanceof StripeDouble) double.forgetKeys();
      }
      double.endRefund(paymentNo, refundNo, true);
      for (let time = 0; time < 2; time++) expect(await ask()).toEqual(['done', 2000, '30.00']);
    });

    it('a failed refund goes into the wallet once, whether queried or notified, even after it had succeeded', async () => {
      if (!rig.refundEnded) return;
      const user = await testApp().user();
      const queried = await pendingRefund(user);
      double.endRefund(queried.paymentNo, queried.refundNo, false);
      await queried.ask();
      expect([await queried.state(), await balance(user)]).toEqual(['failed', '50.00']);
      const notified = await testApp().user();
      const { paymentNo, refundNo, state } = await pendingRefund(notified);
      double.endRefund(paymentNo, refundNo, true);
      const made = rig.refundEnded(double as never, paymentNo, refundNo, true);
      await notify(made);
      expect([await state(), await balance(notified)]).toEqual(['done', '30.00']);
      double.endRefund(paymentNo, refundNo, false);
      const failed = rig.refundEnded(double as never, paymentNo, refundNo, false);
      for (const notice of [failed, failed, made]) expect((await notify(notice)).status).toBe(200);
      expect([await state(), await balance(notified)]).toEqual(['failed', '50.00']);
    });
  });
});

withDouble('Stripe', new StripeDouble(), (testApp, double) => {
  const { options, cashier, recharge } = paying(testApp, double);

  it('Stripe has one session per payment, at any time of its life and with any number of concurrent visits', async () => {
    const payment = await recharge(await testApp().user());
    const age = "update payments set created_at = created_at - interval '29 minutes' where payment_no = $1";
    await testApp().db.run(age, [payment]);
    const pages = await times(4, () => cashier(payment));
    expect(new Set(pages.map((page) => page.headers.location)).size).toBe(1);
    expect(pages[0]?.headers.location).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect([...double.sessions.values()].filter(({ metadata }) => metadata.payment_no === payment)).toHaveLength(1);
  });

  it('Stripe refuses less than its minimum charge', async () => {
    const user = await testApp().user();
    const { data: methods } = await testApp().get('payment/methods?scene=recharge', options);
    expect(methods).toContainEqual(expect.objectContaining({ code: 'stripe', enabled: true, min: '0.50' }));
    await testApp().setPrice(49, 'USD');
    const { data: order } = await user.order({}, options);
    const body = { order_no: order.order_no, method: 'stripe' };
    expect((await user.post('payment/online', body, options)).code).toBe(45010);
    await testApp().setPrice(150, 'USD');
  });
});

withDouble('WeChat Pay', new WechatPayDouble(), (testApp, double) => {
  const { ordered, visit, ...shop } = paying(testApp, double);
  const paymentOf = async (user: User) => (await ordered(user)).payment;
  const cashier = (no: string, userAgent: string) => shop.cashier(no, { 'user-agent': userAgent });

  it('WeChat Pay shows a code on a desktop, requests it once, and redirects when it is paid', async () => {
    const user = await testApp().user();
    const no = await paymentOf(user);
    const page = await cashier(no, 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140');
    expect(page.headers.refresh).toBe('4');
    expect(page.body).toContain('<svg');
    expect(double.orders.get(no)).toMatchObject({ trade_type: 'native', total: 1000 });
    const requests = double.requests;
    await cashier(no, 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140');
    expect(double.requests).toBe(requests);
    double.pay(no);
    await testApp().notify('wechat', double.notice(no));
    expect((await cashier(no, 'Chrome')).headers.location).toMatch(/pay-success/);
  });

  it('WeChat Pay requests a new phone page when the old one expires, without a second payment', async () => {
    const user = await testApp().user();
    const no = await paymentOf(user);
    await visit(no);
    const requests = double.requests;
    await visit(no);
    expect(double.requests).toBe(requests);
    await testApp().db.run('update payments set opened = opened || $2 where payment_no = $1', [
      no,
      JSON.stringify({ until: new Date().toISOString() }),
    ]);
    expect((await visit(no)).headers.location).toMatch(/^https:\/\/wx\.tenpay\.com\//);
    expect([double.requests, double.orders.get(no)?.total]).toEqual([requests + 1, 1000]);
  });

  it('WeChat Pay opens its window for a shopper who signed in inside WeChat, under a policy that allows one script', async () => {
    const user = await testApp().user();
    await testApp().db.run('update users set openid = $2 where id = $1', [user.id, `o-${user.id}`]);
    const no = await paymentOf(user);
    const page = await cashier(no, 'Mozilla/5.0 (iPhone) MicroMessenger/8.0.50');
    expect(double.orders.get(no)?.trade_type).toBe('jsapi');
    expect(page.headers['content-security-policy']).toMatch(/script-src 'sha256-[^']+';/);
    const parameters = /data-bridge="([^"]+)"/.exec(page.body)?.[1]?.replaceAll('&quot;', '"') ?? '';
    expect(JSON.parse(parameters)).toMatchObject({
      appId: double.appId,
      package: `prepay_id=wx${no}`,
      signType: 'RSA',
    });
  });

  it('a payment method is not offered for other currencies, and its callback is closed where it is not configured', async () => {
    const usd = { currency: 'USD' };
    const { data: methods } = await testApp().get('payment/methods?scene=recharge', usd);
    expect(methods).toContainEqual(expect.objectContaining({ code: 'wechat', enabled: false }));
    const user = await testApp().user();
    expect((await user.post('recharge/create', { amount: '5.00', method: 'wechat' }, usd)).code).toBe(45010);
    for (const method of ['alipay', 'constructor'])
      expect((await testApp().post(`payment/callback/${method}`, {})).code).toBe(45010);
  });
});
