import { AlipayDouble } from '../../test/support/doubles/alipay';
import { keyPair, secondsNow } from '../../test/support/doubles/double';
import { StripeDouble } from '../../test/support/doubles/stripe';
import { WechatPayDouble } from '../../test/support/doubles/wechat-pay';
import { paidBack } from '../../test/support/money-back';
import { type ApiAnswer, onEveryDatabase, type ProviderNotice, type User } from '../../test/support/test-app';
import { times } from '../../test/support/times';
import { withDouble } from '../../test/support/with-double';
import { closeUnpaid } from '../jobs/jobs';
import { askPayments } from '../payments/ask-payments.service';

type Double = WechatPayDouble | AlipayDouble | StripeDouble;
interface Rig<T extends Double = Double> {
  code: string;
  currency: 'CNY' | 'USD';
  acknowledged: RegExp;
  make(): T;
  visit?(double: T, address: string): Promise<unknown>;
  paid(double: T, paymentNo: string): ProviderNotice;
  closed?(double: T, paymentNo: string): ProviderNotice;
  forged(double: T, paymentNo: string, otherDouble: T): Record<string, ProviderNotice>;
  mismatched(double: T, paymentNo: string): Record<string, { notice: ProviderNotice; code: number }>;
  refunded(double: T, paymentNo: string): number;
  refundEnded?(double: T, paymentNo: string, refundNo: string, done: boolean): ProviderNotice;
}

const form = (body: string): ProviderNotice => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
});

const wechat: Rig<WechatPayDouble> = {
  code: 'wechat',
  currency: 'CNY',
  acknowledged: /"code":"SUCCESS"/,
  make: () => new WechatPayDouble(),
  paid: (double, no) => double.notice(no),
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
    'a smaller amount': { notice: double.notice(no, { total: 1 }), code: 45011 },
    'a larger amount': { notice: double.notice(no, { total: 100_000 }), code: 45011 },
    'another currency': { notice: double.notice(no, { currency: 'USD' }), code: 45011 },
    'an unknown order': { notice: double.notice(no, { out_trade_no: 'ABCDEFGH12345678ABCD' }), code: 43404 },
  }),
  refunded: (double, no) => sum(double.orders.get(no)?.refunds.values()),
  refundEnded: (double, no, refundNo, done) => {
    const amount = double.orders.get(no)?.refunds.get(refundNo) ?? 0;
    return double.refundNotice(no, { refundNo, amount, status: done ? 'SUCCESS' : 'CLOSED' });
  },
};

const alipay: Rig<AlipayDouble> = {
  code: 'alipay',
  currency: 'CNY',
  acknowledged: /^success$/,
  make: () => new AlipayDouble(),
  visit: async (_double, address) => expect((await fetch(address)).status).toBe(200),
  paid: (double, no) => form(double.notice(no)),
  closed: (double, no) => form(double.notice(no, { trade_status: 'TRADE_CLOSED' })),
  forged: (double, no, otherDouble) => {
    const good = double.notice(no);
    const change = (edit: (fields: URLSearchParams) => void) => {
      const fields = new URLSearchParams(good);
      edit(fields);
      return form(fields.toString());
    };
    return {
      'another key': form(double.notice(no, {}, keyPair().privateKey)),
      'the merchant’s key': form(double.notice(no, {}, double.merchant.privateKey)),
      'a changed amount': change((fields) => fields.set('total_amount', '0.01')),
      'no signature': change((fields) => fields.delete('sign')),
      'an empty signature': change((fields) => fields.set('sign', '')),
      'the weaker algorithm': change((fields) => fields.set('sign_type', 'RSA')),
      'an unknown algorithm': change((fields) => fields.set('sign_type', 'none')),
      'another app': form(double.notice(no, { app_id: '2021000000000009' })),
      'another seller': form(double.notice(no, { seller_id: '2088000000000009' })),
      'another Alipay': form(double.notice(no, {}, otherDouble.platform.privateKey)),
      'no body': form(''),
    };
  },
  mismatched: (double, no) => ({
    'a smaller amount': { notice: form(double.notice(no, { total_amount: '0.01' })), code: 45011 },
    'a larger amount': { notice: form(double.notice(no, { total_amount: '1000.00' })), code: 45011 },
    'an unknown order': { notice: form(double.notice(no, { out_trade_no: 'ABCDEFGH12345678ABCD' })), code: 43404 },
  }),
  refunded: (double, no) => sum(double.trades.get(no)?.refunds.values()),
};

const stripe: Rig<StripeDouble> = {
  code: 'stripe',
  currency: 'USD',
  acknowledged: /"code":200/,
  make: () => new StripeDouble(),
  paid: (double, no) => double.notice(no),
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
      'another reference': double.notice(no, { session: { client_reference_id: 'ABCDEFGH12345678ABCD' } }),
      'no body': { ...good, body: '' },
    };
  },
  mismatched: (double, no) => ({
    'a smaller amount': { notice: double.notice(no, { session: { amount_total: 1 } }), code: 45011 },
    'a larger amount': { notice: double.notice(no, { session: { amount_total: 100_000 } }), code: 45011 },
    'another currency': { notice: double.notice(no, { session: { currency: 'cny' } }), code: 45011 },
    'an unknown order': {
      notice: double.notice(no, {
        session: {
          client_reference_id: 'ABCDEFGH12345678ABCD',
          metadata: { payment_no: 'ABCDEFGH12345678ABCD' },
        },
      }),
      code: 43404,
    },
  }),
  refunded: (double, no) => double.refundedOf(double.sessionOf(no)),
  refundEnded: (double, no, refundNo) => double.refundNotice(no, refundNo),
};

const sum = (numbers: Iterable<number> | undefined) =>
  [...(numbers ?? [])].reduce((total, number) => total + number, 0);
const phone = { 'user-agent': 'Mozilla/5.0 (Linux; Android 14) Mobile Safari/537.36' };

describe.each([wechat, alipay, stripe] as unknown as Rig[])('payments by $code', (rig) => {
  let double: Double;
  let otherDouble: Double;
  beforeAll(async () => {
    [double, otherDouble] = await Promise.all([rig.make().start(), rig.make().start()]);
  });
  afterAll(async () => {
    await Promise.all([double.close(), otherDouble.close()]);
  });
  beforeEach(() => {
    double.unreachable = false;
    double.losesAnswers = false;
    double.refundsPend = false;
    double.refusals.length = 0;
  });

  onEveryDatabase(
    'the shop',
    (testApp) => {
      afterEach(() => testApp().check());
      const options = { currency: rig.currency, locale: 'en' };
      const money = (minor: number) => `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
      const price = rig.currency === 'CNY' ? 1000 : 150;

      const notify = (notice: ProviderNotice) => testApp().notify(rig.code, notice);
      const balance = async (user: User) => (await user.get('user/info', options)).data.balance as string;
      const cashier = (paymentNo: string, headers: Record<string, string> = phone) =>
        testApp().app.inject({ url: `/cashier/${paymentNo}`, headers });

      async function ordered(user: User) {
        const { data: order } = await user.order({}, options);
        const payment = await pending(user, order.order_no);
        return { orderNo: order.order_no as string, paymentNo: payment };
      }
      async function pending(user: User, orderNo: string): Promise<string> {
        const { data } = await user.post('payment/online', { order_no: orderNo, method: rig.code }, options);
        expect(data).toMatchObject({ mode: 'redirect', pay_url: `/cashier/${data.payment_no}?lang=en` });
        const page = await cashier(data.payment_no);
        expect(page.statusCode).toBe(303);
        await rig.visit?.(double as never, String(page.headers.location));
        return data.payment_no;
      }
      async function pendingRecharge(paymentNo: string) {
        const page = await cashier(paymentNo);
        await rig.visit?.(double as never, String(page.headers.location));
      }
      async function recharged(user: User): Promise<string> {
        const { data } = await user.post('recharge/create', { amount: '50.00', method: rig.code }, options);
        await pendingRecharge(data.payment_no);
        double.pay(data.payment_no);
        await notify(rig.paid(double as never, data.payment_no));
        return data.payment_no;
      }
      const stateOf = async (user: User, paymentNo: string) =>
        (await user.get(`payment/status?payment_no=${paymentNo}`, options)).data.state;

      it('payments are offered for the currencies they accept, and pay an order', async () => {
        const user = await testApp().user();
        const methods = (await user.get('payment/methods?scene=order', options)).data as Array<{
          code: string;
          enabled: boolean;
        }>;
        expect(methods.find((method) => method.code === rig.code)).toMatchObject({ enabled: true });
        const { orderNo, paymentNo } = await ordered(user);
        double.pay(paymentNo);
        const answer = await notify(rig.paid(double as never, paymentNo));
        expect([answer.status, rig.acknowledged.test(answer.text)]).toEqual([200, true]);
        expect((await user.info(orderNo)).data).toMatchObject({
          status: 30,
          payment: { method: rig.code, payment_no: paymentNo },
        });
        expect(await stateOf(user, paymentNo)).toBe('paid');
        expect((await cashier(paymentNo)).headers.location).toBe(`/#/pages/order/pay-success?id=${orderNo}`);
        expect(double.refusals).toEqual([]);
      });

      it('payments ignore forged, unsigned, stale and foreign notifications, and a wrong amount, currency or order', async () => {
        const user = await testApp().user();
        const { orderNo, paymentNo } = await ordered(user);
        double.pay(paymentNo);
        const forged = Object.entries(rig.forged(double as never, paymentNo, otherDouble as never));
        const refused = [
          ...forged.map(([what, notice]) => [what, notice, 403] as const),
          ...Object.entries(rig.mismatched(double as never, paymentNo)).map(
            ([what, { notice, code }]) => [what, notice, code] as const,
          ),
        ];
        for (const [what, notice, code] of refused) {
          const answer = await notify(notice);
          expect([what, answer.status, answer.code]).toEqual([what, 400, code]);
        }
        expect([await stateOf(user, paymentNo), await balance(user)]).toEqual(['pending', '0.00']);
        expect((await user.info(orderNo)).data.status).toBe(10);
        expect((await notify(rig.paid(double as never, paymentNo))).status).toBe(200);
        expect((await user.info(orderNo)).data.status).toBe(30);
      });

      it('a payment credits once, however often, concurrently and in any order its notifications arrive', async () => {
        const user = await testApp().user();
        const { data } = await user.post('recharge/create', { amount: '50.00', method: rig.code }, options);
        await pendingRecharge(data.payment_no);
        double.pay(data.payment_no);
        const answers = await times(10, () => notify(rig.paid(double as never, data.payment_no)));
        expect(answers.every((answer) => answer.status === 200)).toBe(true);
        if (rig.closed) expect((await notify(rig.closed(double as never, data.payment_no))).status).toBe(200);
        await notify(rig.paid(double as never, data.payment_no));
        expect(await balance(user)).toBe('50.00');
        expect(await stateOf(user, data.payment_no)).toBe('paid');
      });

      const acknowledgesFourTimes = async (paymentNo: string) => {
        const answers = await times(4, () => notify(rig.paid(double as never, paymentNo)));
        expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
      };

      it('a late payment goes into the wallet, once', async () => {
        const user = await testApp().user(1000);
        const before = Number((await balance(user)).replace('.', ''));
        const cancelled = await ordered(user);
        double.pay(cancelled.paymentNo);
        await user.post('order/cancel', { order_no: cancelled.orderNo }, options);
        await acknowledgesFourTimes(cancelled.paymentNo);
        expect(await balance(user)).toBe(money(before + price));
        expect((await user.info(cancelled.orderNo)).data).toMatchObject({ status: 10, close_reason: 2 });
        const two = await ordered(user);
        double.pay(two.paymentNo);
        expect((await user.pay(two.orderNo, options)).code).toBe(200);
        await acknowledgesFourTimes(two.paymentNo);
        expect(await balance(user)).toBe(money(before + price));
        if (!rig.closed) return;
        const three = await ordered(user);
        double.pay(three.paymentNo);
        expect((await notify(rig.closed(double as never, three.paymentNo))).status).toBe(200);
        await acknowledgesFourTimes(three.paymentNo);
        expect(await balance(user)).toBe(money(before + price * 2));
        expect(await stateOf(user, three.paymentNo)).toBe('failed');
        expect((await user.info(three.orderNo)).data.status).toBe(10);
      });

      const due = () =>
        testApp().db.run(
          "update payments set ask_at = clock_timestamp() where state = 'pending' and ask_at is not null",
        );

      it('the job and the return page query payments whose notification is lost', async () => {
        const user = await testApp().user();
        const order = await ordered(user);
        double.pay(order.paymentNo);
        await due();
        await times(3, () => askPayments(testApp().context));
        expect((await user.info(order.orderNo)).data.status).toBe(30);
        const two = await ordered(user);
        double.pay(two.paymentNo);
        const back = await testApp().app.inject(`/cashier/${two.paymentNo}/return`);
        expect(back.headers.location).toBe(`/#/pages/order/pay-success?id=${two.orderNo}`);
        expect((await user.info(two.orderNo)).data.status).toBe(30);
        await notify(rig.paid(double as never, two.paymentNo));
        expect(await balance(user)).toBe('0.00');
      });

      it('an abandoned payment is closed at the provider, so that no shopper pays without an order', async () => {
        const user = await testApp().user();
        const cancelled = await ordered(user);
        await user.post('order/cancel', { order_no: cancelled.orderNo }, options);
        const overdue = await ordered(user);
        await testApp().db.run('update orders set expire_at = clock_timestamp() where order_no = $1', [
          overdue.orderNo,
        ]);
        await closeUnpaid(testApp().db);
        await due();
        await askPayments(testApp().context);
        for (const { paymentNo } of [cancelled, overdue]) {
          expect(await stateOf(user, paymentNo)).toBe('closed');
          expect(() => double.pay(paymentNo)).toThrow('nothing to pay');
          expect((await cashier(paymentNo)).body).toContain('This payment is closed');
        }
      });

      it('payments survive a provider that does not respond, or acts without a response', async () => {
        const user = await testApp().user();
        const { data: order } = await user.order({}, options);
        const { data } = await user.post('payment/online', { order_no: order.order_no, method: rig.code }, options);
        if (rig.code !== 'alipay') {
          for (const fault of ['unreachable', 'losesAnswers'] as const) {
            double[fault] = true;
            const page = await cashier(data.payment_no);
            expect([page.statusCode, page.body.includes('Try again')]).toEqual([502, true]);
            double[fault] = false;
          }
        }
        await pendingRecharge(data.payment_no);
        double.pay(data.payment_no);
        double.unreachable = true;
        await due();
        await expect(askPayments(testApp().context)).rejects.toThrow('did not answer');
        expect((await testApp().app.inject(`/cashier/${data.payment_no}/return`)).statusCode).toBe(303);
        double.unreachable = false;
        await due();
        await askPayments(testApp().context);
        expect((await user.info(order.order_no)).data.status).toBe(30);
      });

      it('a payment is refunded to its origin once, and at most by the paid amount', async () => {
        const user = await testApp().user();
        const { data } = await user.post('recharge/create', { amount: '50.00', method: rig.code }, options);
        const back = (amount: number) => paidBack(testApp().context, data.payment_no, amount);
        await expect(back(100)).rejects.toMatchObject({ message: '43020' });
        await pendingRecharge(data.payment_no);
        double.pay(data.payment_no);
        await notify(rig.paid(double as never, data.payment_no));
        const results = await Promise.allSettled(Array.from({ length: 8 }, () => back(2000)));
        expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(2);
        expect(rig.refunded(double as never, data.payment_no)).toBe(4000);
        expect(await balance(user)).toBe('10.00');
        double.losesAnswers = true;
        await back(1000);
        double.losesAnswers = false;
        const repeat = () =>
          testApp().db.run("update payment_refunds set ask_at = clock_timestamp() where state = 'pending'");
        await repeat();
        await askPayments(testApp().context);
        expect(rig.refunded(double as never, data.payment_no)).toBe(5000);
        expect(await balance(user)).toBe('0.00');
        await expect(back(1)).rejects.toMatchObject({ message: '45011' });
        const states = await testApp().db.rows<{ state: string }>(
          'select r.state from payment_refunds r join payments p on p.id = r.payment_id where p.payment_no = $1',
          [data.payment_no],
        );
        expect(states.map((refund) => refund.state)).toEqual(['done', 'done', 'done']);
      });

      async function pendingRefund(user: User) {
        const paymentNo = await recharged(user);
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
    },
    () => double.env(),
  );
});

withDouble('Stripe', new StripeDouble(), (testApp, double) => {
  it('Stripe has one session per payment, at any time of its life and with any number of concurrent visits', async () => {
    const usd = { currency: 'USD', locale: 'en' };
    const user = await testApp().user();
    const { data } = await user.post('recharge/create', { amount: '20.00', method: 'stripe' }, usd);
    await testApp().db.run(
      "update payments set created_at = created_at - interval '29 minutes' where payment_no = $1",
      [data.payment_no],
    );
    const pages = await times(4, () => testApp().app.inject(`/cashier/${data.payment_no}`));
    expect(new Set(pages.map((page) => page.headers.location)).size).toBe(1);
    expect(pages[0]?.headers.location).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect(
      [...double.sessions.values()].filter((session) => session.metadata.payment_no === data.payment_no),
    ).toHaveLength(1);
  });

  it('Stripe refuses less than its minimum charge', async () => {
    const user = await testApp().user();
    const methods = (await testApp().get('payment/methods?scene=recharge', { currency: 'USD', locale: 'en' }))
      .data as ApiAnswer['data'][];
    expect(methods.find((method) => method.code === 'stripe')).toMatchObject({ enabled: true, min: '0.50' });
    const setPrice = (price: number) =>
      testApp().db.run("update prices set price = $2 where spec_id = $1 and currency = 'USD'", [
        ...[testApp().spec('card'), price],
      ]);
    await setPrice(49);
    const { data: order } = await user.order({}, { currency: 'USD', locale: 'en' });
    const body = { order_no: order.order_no, method: 'stripe' };
    expect((await user.post('payment/online', body, { currency: 'USD' })).code).toBe(45010);
    await setPrice(150);
  });
});

withDouble('WeChat Pay', new WechatPayDouble(), (testApp, double) => {
  const paymentOf = async (user: User) => {
    const { data: order } = await user.order();
    return (await user.post('payment/online', { order_no: order.order_no, method: 'wechat' })).data
      .payment_no as string;
  };
  const cashier = (no: string, userAgent: string) =>
    testApp().app.inject({ url: `/cashier/${no}`, headers: { 'user-agent': userAgent } });

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
    const visit = () => cashier(no, 'Mozilla/5.0 (Linux; Android 14) Mobile Safari/537.36');
    await visit();
    const requests = double.requests;
    await visit();
    expect(double.requests).toBe(requests);
    await testApp().db.run('update payments set opened = opened || $2 where payment_no = $1', [
      no,
      JSON.stringify({ until: new Date().toISOString() }),
    ]);
    expect((await visit()).headers.location).toMatch(/^https:\/\/wx\.tenpay\.com\//);
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
    const methods = (await testApp().get('payment/methods?scene=recharge', { currency: 'USD', locale: 'en' }))
      .data as ApiAnswer['data'][];
    expect(methods.find((method) => method.code === 'wechat')).toMatchObject({ enabled: false });
    const user = await testApp().user();
    expect((await user.post('recharge/create', { amount: '5.00', method: 'wechat' }, { currency: 'USD' })).code).toBe(
      45010,
    );
    expect((await testApp().post('payment/callback/alipay', {})).code).toBe(45010);
    expect((await testApp().post('payment/callback/constructor', {})).code).toBe(45010);
  });
});
