import { Type } from 'typebox';
import type { App, Shop } from '../app/context';
import { escapeHtml, htmlPage } from '../app/html';
import { toWire } from '../app/money';
import { type Locale, NumberSchema } from '../app/schema';
import { SandboxPayments } from '../providers/sandbox';
import { paymentByNo } from './payments.service';

const texts = {
  'zh-CN': {
    title: '沙箱收银台',
    about: '这是演示用的收银台，不会产生真实扣款。',
    order: '订单支付',
    recharge: '余额充值',
    number: '支付单号',
    method: '支付方式',
    name: '在线支付（沙箱）',
    pay: '确认支付',
    fail: '模拟支付失败',
    back: '返回商城',
    paid: '该笔支付已完成',
    failed: '该笔支付已失败',
    missing: '没有找到这笔支付',
  },
  en: {
    title: 'Sandbox cashier',
    about: 'This cashier is for demonstration. No real money moves.',
    order: 'Order payment',
    recharge: 'Wallet recharge',
    number: 'Payment number',
    method: 'Method',
    name: 'Online payment (sandbox)',
    pay: 'Pay now',
    fail: 'Let the payment fail',
    back: 'Back to the shop',
    paid: 'This payment is complete',
    failed: 'This payment has failed',
    missing: 'There is no such payment',
  },
} as const satisfies Record<Locale, Record<string, string>>;
const symbols: Record<string, string> = { CNY: '¥', USD: '$' };

const params = Type.Object({ payment_no: NumberSchema });
const querystring = Type.Object({ lang: Type.Optional(Type.String({ maxLength: 10 })) });

/** Plays the payment provider: shows what is to be paid, sends the signed notice, goes back to the shop. Not in production. */
export function cashierRoutes(app: App, { db, providers }: Shop): void {
  const provider = providers.payments.find((one): one is SandboxPayments => one instanceof SandboxPayments);
  if (!provider) return;

  app.get('/cashier/:payment_no', { schema: { params, querystring } }, async (request, reply) => {
    const payment = await paymentByNo(db, request.params.payment_no);
    const lang = localeOf(request.query.lang ?? payment?.locale);
    const text = texts[lang];
    if (!payment || payment.method !== provider.code) {
      const body = `<section class="card"><h1>${text.missing}</h1><a class="button plain" href="/">${text.back}</a></section>`;
      return htmlPage(reply.code(404), { lang, title: text.title, body, narrow: true });
    }
    const amount = `${symbols[payment.currency] ?? ''}${toWire(payment.amount)}`;
    const actions =
      payment.state === 'pending'
        ? `<form method="post" action="/cashier/${payment.payment_no}">
             <button class="primary" name="action" value="pay" type="submit">${text.pay} ${amount}</button>
             <button class="plain" name="action" value="fail" type="submit">${text.fail}</button></form>`
        : `<p role="status">${payment.state === 'paid' ? text.paid : text.failed}</p>`;
    const body = `<h1>${text.title}</h1><p>${text.about}</p>
      <section class="card"><p>${payment.order_no ? text.order : text.recharge}</p><p class="amount">${amount}</p>
      <dl><dt>${text.number}</dt><dd>${escapeHtml(payment.payment_no)}</dd><dt>${text.method}</dt><dd>${text.name}</dd></dl>
      ${actions}<a class="button plain" href="${returnPath(payment)}">${text.back}</a></section>`;
    return htmlPage(reply, { lang, title: text.title, body, narrow: true });
  });

  app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    scope.post('/cashier/:payment_no', { schema: { params } }, async (request, reply) => {
      const { payment_no } = request.params as { payment_no: string };
      const { action } = (request.body ?? {}) as { action?: string };
      const payment = await paymentByNo(db, payment_no);
      if (!payment || payment.method !== provider.code) return reply.redirect(`/cashier/${payment_no}`, 303);
      // The same way a provider takes: over the public callback, with a signature.
      await app.inject({
        method: 'POST',
        url: `/api/front/payment/callback/${provider.code}`,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(provider.notice(payment, action === 'pay')),
      });
      return reply.redirect(returnPath(payment), 303);
    });
  });
}

const localeOf = (text: string | undefined): Locale => (text === 'en' ? 'en' : 'zh-CN');
const returnPath = ({ order_no }: { order_no: string | null }) =>
  order_no ? `/#/pages/order/pay-success?id=${order_no}` : '/user/wallet';
