import type { AlipayDouble } from './doubles/alipay';
import type { StripeDouble } from './doubles/stripe';
import type { WechatPayDouble } from './doubles/wechat-pay';
import type { ProviderNotice, TestApp, User } from './test-app';

export type PaymentDouble = AlipayDouble | StripeDouble | WechatPayDouble;
const phone = { 'user-agent': 'Mozilla/5.0 (Linux; Android 14) Mobile Safari/537.36' };

/** What shoppers, the provider and its job do with online payments, in the currency of the provider. */
export function paying(testApp: () => TestApp, double: PaymentDouble) {
  const { code, options } = double;
  const notify = (notice: ProviderNotice) => testApp().notify(code, notice);
  const cashier = (paymentNo: string, headers = phone) =>
    testApp().app.inject({ url: `/cashier/${paymentNo}`, headers });
  /** Opens the page of the payment, also at the provider if that is the double. */
  const visit = async (paymentNo: string) => {
    const page = await cashier(paymentNo);
    const { location } = page.headers;
    if (location?.startsWith(double.endpoint)) expect((await fetch(location)).status).toBe(200);
    return page;
  };
  const pay = async (paymentNo: string) => {
    await visit(paymentNo);
    double.pay(paymentNo);
  };
  const settle = async (paymentNo: string) => {
    await pay(paymentNo);
    expect((await notify(double.notice(paymentNo))).status).toBe(200);
  };
  const ordered = async (user: User, selection: Record<string, unknown> = {}) => {
    const { data } = await user.order(selection, options);
    const order = data.order_no as string;
    const opened = await user.post('payment/online', { order_no: order, method: code }, options);
    return { user, order, payment: opened.data.payment_no as string };
  };
  const recharge = async (user: User, amount = '20.00') =>
    (await user.post('recharge/create', { amount, method: code }, options)).data.payment_no as string;
  return {
    options,
    notify,
    cashier,
    visit,
    pay,
    settle,
    ordered,
    recharge,
    paid: async (user: User, selection?: Record<string, unknown>) => {
      const placed = await ordered(user, selection);
      await settle(placed.payment);
      return placed;
    },
    recharged: async (user: User, amount?: string) => {
      const payment = await recharge(user, amount);
      await settle(payment);
      return payment;
    },
    balance: async (user: User) => (await user.get('user/info', options)).data.balance as string,
    info: async (user: User, order: string) => (await user.get(`order/info?order_no=${order}`, options)).data,
    /** Lets the job ask about every open payment and refund in its next run. */
    askNext: async () => {
      for (const table of ['payments', 'payment_refunds'])
        await testApp().db.run(
          `update ${table} set ask_at = clock_timestamp() where state = 'pending' and ask_at is not null`,
        );
    },
  };
}
