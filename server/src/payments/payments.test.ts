import { ErrorCode } from '@shop/shared/domain';
import { until } from '../../../scripts/jest/until';
import { StripeDouble } from '../../test/support/doubles/stripe';
import { paying } from '../../test/support/paying';
import { onEveryDatabase, type User } from '../../test/support/test-app';
import { withDouble } from '../../test/support/with-double';
import { askPayments } from './provider-calls.service';
import { handlePaymentNotice } from './provider-notices.service';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

onEveryDatabase('an online payment', (testApp) => {
  afterEach(() => testApp().check());
  const online = (user: User, body: object) => user.post('payment/online', { method: 'sandbox', ...body });
  const atCashier = (paymentNo: string, action: string) =>
    testApp().post(`/cashier/${paymentNo}`, `action=${action}`, { headers: form });
  const opened = async (user: User) => {
    const { data: order } = await user.order();
    const { data } = await online(user, { order_no: order.order_no });
    return { order: order.order_no as string, payment: data.payment_no as string, expires: [order, data] };
  };
  const statusOf = async (user: User, paymentNo: string) =>
    (await user.get(`payment/status?payment_no=${paymentNo}`)).data;

  it('online payment methods are offered beside the wallet, which says why it cannot pay', async () => {
    const methods = async (user: User | undefined, query = '', options = {}) => {
      const { data } = await (user ?? testApp()).get(`payment/methods${query}`, { locale: 'en', ...options });
      return data as { code: string; enabled: boolean }[];
    };
    const sandbox = {
      code: 'sandbox',
      name: 'Online payment (sandbox)',
      icon: 'sandbox',
      fee: '0.00',
      min: '0.01',
      max: '50000.00',
      enabled: true,
      reason: '',
    };
    const balance = (max: string, reason: string) => ({
      code: 'balance',
      name: expect.any(String),
      icon: 'balance',
      fee: '0.00',
      min: '0.00',
      max,
      enabled: reason === '',
      reason,
    });
    const user = await testApp().user(1);
    expect(await methods(user)).toEqual([balance('0.01', ''), sandbox]);
    expect(await methods(user, '?scene=order')).toEqual([balance('0.01', ''), sandbox]);
    expect(await methods(user, '?scene=recharge')).toEqual([sandbox]);
    const empty = balance('0.00', 'The balance is too low');
    expect(await methods(user, '', { currency: 'USD' })).toEqual([empty, sandbox]);
    expect(await methods(undefined)).toEqual([empty, sandbox]);
    await testApp().db.run('update wallets set locked = true where user_id = $1', [user.id]);
    expect(await methods(user)).toEqual([balance('0.01', 'The wallet is frozen, please contact support'), sandbox]);
  });

  it('an order has one open payment per method until it fails', async () => {
    const user = await testApp().user();
    const { order, payment, expires } = await opened(user);
    const [{ expire_at }, first] = expires;
    expect(first).toEqual({
      payment_no: payment,
      mode: 'redirect',
      pay_url: `/cashier/${payment}?lang=zh-CN`,
      expire_at,
    });
    const again = await user.post('payment/online', { order_no: order, method: 'sandbox' }, { locale: 'en' });
    expect(again.data).toMatchObject({ payment_no: payment, pay_url: `/cashier/${payment}?lang=en` });
    await atCashier(payment, 'fail');
    const { data: next } = await online(user, { order_no: order });
    expect(next.payment_no).not.toBe(payment);
    const { payment: ofAnother } = await opened(await testApp().user());
    expect([payment, next.payment_no]).not.toContain(ofAnother);
  });

  it('a recharge has one open payment, and none once it is paid', async () => {
    const user = await testApp().user();
    const { data } = await user.post('recharge/create', { amount: '10.00', method: 'sandbox' });
    const { recharge_no, payment_no } = data;
    expect((await online(user, { recharge_no })).data).toMatchObject({ payment_no, expire_at: data.expire_at });
    await atCashier(payment_no, 'pay');
    expect((await online(user, { recharge_no })).code).toBe(ErrorCode.WrongOrderState);
    expect(await user.balance()).toBe('10.00');
  });

  it('an online payment is refused without a purpose, with two purposes, for an unknown recharge, and by an unknown method', async () => {
    const user = await testApp().user();
    const { data: order } = await user.order();
    const { data: recharge } = await user.post('recharge/create', { amount: '10.00', method: 'sandbox' });
    for (const body of [{}, { order_no: order.order_no, recharge_no: recharge.recharge_no }])
      expect(await online(user, body)).toMatchObject({ code: 40001, data: { errors: { order_no: '请填写此项' } } });
    expect((await online(user, { order_no: order.order_no, method: 'wechat' })).code).toBe(45010);
    expect((await online(user, { recharge_no: 'A'.repeat(20) })).code).toBe(ErrorCode.OrderNotFound);
  });

  it('an online payment is refused a cent above the maximum', async () => {
    const codes: number[] = [];
    for (const amount of [5_000_000, 5_000_001]) {
      await testApp().setPrice(amount, 'CNY', 'manual');
      const user = await testApp().user();
      const { data } = await user.order(testApp().orderBody('manual'));
      codes.push((await online(user, { order_no: data.order_no })).code);
    }
    await testApp().setPrice(2000, 'CNY', 'manual');
    expect(codes).toEqual([200, ErrorCode.PaymentMethodUnavailable]);
  });

  it('a payment reports its state and when it was paid', async () => {
    const user = await testApp().user();
    const { order, payment } = await opened(user);
    const waiting = {
      payment_no: payment,
      state: 'pending',
      scene: 'order',
      method: 'sandbox',
      amount: '10.00',
      currency: 'CNY',
      order_no: order,
      recharge_no: null,
      paid_at: null,
    };
    expect(await statusOf(user, payment)).toEqual(waiting);
    await atCashier(payment, 'fail');
    expect(await statusOf(user, payment)).toEqual({ ...waiting, state: 'failed' });
    const { data } = await user.post('recharge/create', { amount: '10.00', method: 'sandbox' });
    await atCashier(data.payment_no, 'pay');
    expect(await statusOf(user, data.payment_no)).toMatchObject({
      state: 'paid',
      scene: 'recharge',
      order_no: null,
      recharge_no: data.recharge_no,
      paid_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  it('a payment that arrives after the order was closed goes to the wallet, and the order, its history and a notice say so', async () => {
    const user = await testApp().user();
    const { order, payment } = await opened(user);
    await user.post('order/cancel', { order_no: order });
    await atCashier(payment, 'pay');
    expect(await user.balance()).toBe('10.00');
    const { data } = await user.info(order);
    expect(data.late_payment).toEqual({ amount: '10.00', at: expect.stringMatching(/Z$/) });
    expect(data.timeline.at(-1)).toMatchObject({
      kind: 'paid_late',
      text: '付款到账时订单已不可付款，款项已转入钱包 ¥10.00',
    });
    const notices = await user.get('order/notices', { locale: 'en' });
    expect(notices.data.list).toMatchObject([{ order_no: order, kind: 'paid_late', read: false }]);
    expect(notices.data.list[0].text).toContain('it is in your wallet ');
  });

  it('the cashier page shows the amount in the language of the visit, and the result', async () => {
    const user = await testApp().user();
    const { order, payment } = await opened(user);
    const page = (paymentNo: string, query = '') => testApp().get(`/cashier/${paymentNo}${query}`);
    const chinese = await page(payment);
    for (const text of ['沙箱收银台', '原神', '¥10.00', payment, '确认支付', '返回商城'])
      expect(chinese.text).toContain(text);
    expect(chinese.text).toContain(`href="/#/pages/order/pay-success?id=${order}"`);
    expect(chinese.headers['content-security-policy']).toContain("default-src 'none'");
    const english = await page(payment, '?lang=en');
    for (const text of ['Sandbox cashier', 'Genshin Impact', 'Pay now', 'No real money moves', 'Let the payment fail'])
      expect(english.text).toContain(text);
    expect((await atCashier(payment, 'fail')).headers.location).toBe(`/#/pages/order/pay-success?id=${order}`);
    expect((await page(payment, '?lang=en')).text).toContain('This payment has failed');
    expect((await user.info(order)).data.status).toBe(10);

    const { data } = await user.post('recharge/create', { amount: '10.00', method: 'sandbox' });
    const recharge = await page(data.payment_no, '?lang=en');
    for (const text of ['Wallet top-up', 'href="/user/wallet"']) expect(recharge.text).toContain(text);
    expect((await page(data.payment_no)).text).toContain('余额充值');
    await atCashier(data.payment_no, 'pay');
    expect((await page(data.payment_no, '?lang=en')).text).toContain('This payment is complete');
    expect((await page(data.payment_no, '?lang=en')).text).not.toContain('Pay now');
  });

  it('only a visit that returns from paying an order notes the funnel step "paid"', async () => {
    const user = await testApp().user();
    const [paid, failed] = [await opened(user), await opened(user)];
    const { data: recharge } = await user.post('recharge/create', { amount: '10.00', method: 'sandbox' });
    const { app } = testApp();
    const steps: string[] = [];
    const noteStep = ({ url }: { url: string }, step: string) => steps.push(`${step} ${url}`);
    app.onStep.push(noteStep);
    await statusOf(user, paid.payment);
    for (const [payment, action] of [
      [failed.payment, 'fail'],
      [recharge.payment_no, 'pay'],
      [paid.payment, 'pay'],
    ]) {
      await atCashier(payment, action);
      await testApp().get(`/cashier/${payment}/return`);
      await statusOf(user, payment);
    }
    await until('the last step', () => steps.length >= 3);
    app.onStep.splice(app.onStep.indexOf(noteStep), 1);
    const calls = [
      `/cashier/${paid.payment}`,
      `/cashier/${paid.payment}/return`,
      `/api/front/payment/status?payment_no=${paid.payment}`,
    ];
    expect(steps).toEqual(calls.map((url) => `paid ${url}`));
  });

  it('the cashier page of an unknown payment does not exist and links back to the shop', async () => {
    const unknown = 'A'.repeat(20);
    const page = await testApp().get(`/cashier/${unknown}?lang=en`);
    expect([page.status, page.text.includes('This payment could not be found')]).toEqual([404, true]);
    expect((await testApp().get(`/cashier/${unknown}`)).text).toContain('没有找到这笔支付');
    expect(await testApp().get(`/cashier/${unknown}/return`)).toMatchObject({
      status: 303,
      headers: { location: '/' },
    });
    expect(await atCashier(unknown, 'pay')).toMatchObject({
      status: 303,
      headers: { location: `/cashier/${unknown}` },
    });
  });
});

withDouble('payments that the shop asks the provider about', new StripeDouble(), (testApp, stripe) => {
  afterEach(() => testApp().check());
  const { options: usd, cashier: visit, ordered, balance, ...shop } = paying(testApp, stripe);
  const recharge = async () => {
    const user = await testApp().user();
    return { user, payment: await shop.recharge(user) };
  };
  const change = (set: string, paymentNo: string) =>
    testApp().db.run(`update payments set ${set} where payment_no = $1`, [paymentNo]);

  it('the shop asks about a payment after pauses that grow to a minute, and once an hour after sixty queries', async () => {
    const { payment } = await recharge();
    await visit(payment);
    for (const [asks, pause] of [
      [0, 40],
      [1, 60],
      [59, 60],
      [60, 3600],
    ] as const) {
      await change(`asks = ${asks}, ask_at = clock_timestamp()`, payment);
      const ask = async () => expect(await askPayments(testApp().context)).toBe(1);
      const isExact = await testApp().isPutOff('ask_at', 'payments where payment_no', payment, pause, ask);
      expect([asks, isExact]).toEqual([asks, true]);
    }
    expect(await askPayments(testApp().context)).toBe(0);
    await change("state = 'closed'", payment);
  });

  it('the shop closes a payment that the provider has closed, although it was still pending', async () => {
    const { user, payment } = await recharge();
    await visit(payment);
    stripe.sessionOf(payment).status = 'expired';
    await change('ask_at = clock_timestamp()', payment);
    expect(await askPayments(testApp().context)).toBe(1);
    expect((await user.get(`payment/status?payment_no=${payment}`, usd)).data.state).toBe('closed');
  });

  it('a transfer that paid one payment does not pay another', async () => {
    const [first, second] = [await recharge(), await recharge()];
    const notice = { amount: 2000, currency: 'USD', paid: true, reference: `pi_once_${first.payment}` } as const;
    expect(await handlePaymentNotice(testApp().db, 'stripe', { ...notice, payment_no: first.payment })).toBe(
      'recharge',
    );
    const again = handlePaymentNotice(testApp().db, 'stripe', { ...notice, payment_no: second.payment });
    await expect(again).rejects.toMatchObject({ code: ErrorCode.PaidAmountMismatch });
    expect(await balance(second.user)).toBe('0.00');
  });

  it('a return from the provider asks about the payment at most ten times in ten minutes', async () => {
    const { payment } = await recharge();
    const start = stripe.requests;
    expect((await visit(`${payment}/return`)).headers.location).toBe('/user/wallet');
    expect(stripe.requests).toBe(start);
    await visit(payment);
    const before = stripe.requests;
    for (let time = 0; time < 12; time++) await visit(`${payment}/return`);
    expect(stripe.requests - before).toBe(9);
    await change("state = 'closed'", payment);
  });

  it('the page of a payment can be opened twenty times in ten minutes', async () => {
    const { payment } = await recharge();
    const statuses: number[] = [];
    for (let time = 0; time < 21; time++) {
      statuses.push((await visit(payment)).statusCode);
      await change('opened = null', payment);
    }
    expect(statuses).toEqual([...Array(20).fill(303), 429]);
    await change("state = 'closed'", payment);
  });

  it('the page of a cancelled order does not open the payment and offers no second try', async () => {
    const { user, order, payment } = await ordered(await testApp().user());
    await user.post('order/cancel', { order_no: order }, usd);
    const before = stripe.requests;
    const page = await visit(`${payment}?lang=en`);
    expect([page.statusCode, stripe.requests]).toEqual([200, before]);
    expect(page.body).toContain('role="alert"');
    for (const text of ['Try again', 'Sandbox', 'No real money moves']) expect(page.body).not.toContain(text);
    expect(page.body).toContain(`href="/cashier/${payment}/return"`);
  });

  it('a refused or failed query about one payment does not stop queries about the others', async () => {
    const { context } = testApp();
    const wrong: string[] = [];
    const payments = context.providers.payments.map((provider) => {
      const { remote } = provider;
      const query: NonNullable<typeof remote>['query'] = async (knownPayment) => {
        if (wrong.includes(knownPayment.payment_no)) throw new Error('no answer');
        return (remote as NonNullable<typeof remote>).query(knownPayment);
      };
      return Object.assign(Object.create(provider), { remote: remote && { ...remote, query } });
    });
    const query = () => askPayments({ ...context, providers: { ...context.providers, payments } });
    for (const fault of ['refused', 'wrong']) {
      const [first, second] = [await recharge(), await recharge()];
      for (const { payment } of [first, second]) await visit(payment);
      await change('ask_at = clock_timestamp()', second.payment);
      await change("ask_at = clock_timestamp() - interval '1 minute'", first.payment);
      stripe.pay(second.payment);
      if (fault === 'refused') await change(`opened = opened || '{"token": "cs_unknown"}'`, first.payment);
      else wrong.push(first.payment);
      if (fault === 'refused') expect(await query()).toBe(2);
      else await expect(query()).rejects.toThrow('no answer');
      expect(await balance(second.user)).toBe('20.00');
      await change("state = 'closed'", first.payment);
    }
  });
});
