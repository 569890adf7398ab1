import path from 'node:path';
import { browserScript } from '@platform/build/browser-script';
import { ErrorCode } from '@shop/shared/domain';
import type { FastifyRequest } from 'fastify';
import { toString as drawCode } from 'qrcode';
import { Type } from 'typebox';
import type { DomainRoutes } from '../context';
import { orderText } from '../orders/order-texts';
import { messageOf, ShopError } from '../platform/http/errors';
import { escapeHtml, htmlPage } from '../platform/http/html';
import { formatAmount } from '../platform/http/money';
import { hit } from '../platform/http/rate-limit';
import { type Locale, NumberSchema } from '../platform/http/schemas';
import { lazy } from '../providers/lazy';
import type { BrowserKind } from '../providers/providers';
import { SandboxPayments } from '../providers/sandbox';
import { askProvider } from './provider-calls.service';
import { openPage, type RemotePayment, remotePayment } from './remote-payment';

const texts = {
  shop: ['星点', 'Stardot'],
  title: ['收银台', 'Cashier'],
  sandbox: ['沙箱收银台', 'Sandbox cashier'],
  about: ['这是演示用的收银台，不会产生真实扣款。', 'This cashier is for demonstration. No real money moves.'],
  order: ['订单支付', 'Order payment'],
  number: ['支付单号', 'Payment number'],
  method: ['支付方式', 'Method'],
  pay: ['确认支付', 'Pay now'],
  fail: ['模拟支付失败', 'Let the payment fail'],
  back: ['返回商城', 'Back to the shop'],
  again: ['重试', 'Try again'],
  scan: ['请使用微信扫码支付，支付完成后本页会自动更新。', 'Scan with WeChat to pay. This page updates automatically.'],
  bridge: ['正在打开微信支付…', 'Opening WeChat Pay…'],
  paid: ['该笔支付已完成', 'This payment is complete'],
  failed: ['该笔支付已失败', 'This payment has failed'],
  closed: ['该笔支付已关闭', 'This payment is closed'],
  missing: ['没有找到这笔支付', 'This payment could not be found'],
} as const;

const params = Type.Object({ payment_no: NumberSchema });
const querystring = Type.Object({ lang: Type.Optional(Type.String({ maxLength: 10 })) });

/** A page with a QR code reloads at this interval to see whether it was paid. */
const RELOAD_SECONDS = 4;
/** Maximum returns within ten minutes that ask the provider. */
const MAX_RETURNS = 10;
/** The script is ES5 because WeChat's in-app browser may be old. */
export const bridgeScript = lazy(() =>
  browserScript(path.join(__dirname, 'client/wechat-bridge.ts'), { target: 'es5' }),
);

/** `/cashier/{payment_no}` redirects to the provider's page; with the sandbox configured it acts as the provider. */
export const cashierRoutes: DomainRoutes = async (app, { context }) => {
  const { providers } = context;
  const sandbox = providers.payments.find(
    (candidate): candidate is SandboxPayments => candidate instanceof SandboxPayments,
  );

  app.get('/cashier/:payment_no', { schema: { params, querystring } }, async (request, reply) => {
    const payment = await remotePayment(context, request.params.payment_no);
    const lang = localeOf(request.query.lang ?? payment?.locale);
    const text = (key: keyof typeof texts) => texts[key][lang === 'en' ? 1 : 0];
    const provider = providers.payments.find((candidate) => candidate.code === payment?.method);
    if (!payment || !provider) {
      const body = `<section class="card"><h1>${text('missing')}</h1><a class="button plain" href="/">${text('back')}</a></section>`;
      return htmlPage(reply.code(404), { lang, title: text('title'), body });
    }
    const title = provider === sandbox ? text('sandbox') : text('title');
    const page = (actions: string, extra: { refresh?: number; script?: string } = {}) => {
      const what = payment.order_no ? payment.name?.[lang] || text('order') : orderText('recharge', lang);
      const body = `<p class="shop"><img src="/icon.svg" width="28" height="28" alt="">${text('shop')}</p><h1>${title}</h1>${provider === sandbox ? `<p>${text('about')}</p>` : ''}
      <section class="card"><p>${escapeHtml(what)}</p><p class="amount">${amountOf(payment)}</p>
      <dl><dt>${text('number')}</dt><dd>${escapeHtml(payment.payment_no)}</dd><dt>${text('method')}</dt><dd>${orderText(provider.code, lang)}</dd></dl>
      ${actions}<a class="button plain" href="${provider === sandbox ? returnPath(payment) : `/cashier/${payment.payment_no}/return`}">${text('back')}</a></section>`;
      return htmlPage(reply, { lang, title, body, ...extra });
    };
    if (payment.state !== 'pending') {
      if (payment.state === 'paid' && provider !== sandbox) {
        notePaid(request, payment);
        return reply.redirect(returnPath(payment), 303);
      }
      return page(`<p role="status">${text(payment.state as 'paid' | 'failed' | 'closed')}</p>`);
    }
    if (provider === sandbox) {
      return page(`<form method="post" action="/cashier/${payment.payment_no}">
             <button class="primary" name="action" value="pay" type="submit">${text('pay')} ${amountOf(payment)}</button>
             <button class="plain" name="action" value="fail" type="submit">${text('fail')}</button></form>`);
    }
    try {
      const visitor = { browser: browserOf(request.headers['user-agent'] ?? ''), address: request.ip };
      const opened = await openPage(context, provider, payment, visitor);
      if (opened.kind === 'redirect') return reply.header('cache-control', 'no-store').redirect(opened.url, 303);
      if (opened.kind === 'code') {
        const code = await drawCode(opened.text, { type: 'svg', errorCorrectionLevel: 'M', width: 240 });
        return page(`<p>${text('scan')}</p>${code}`, { refresh: RELOAD_SECONDS });
      }
      const parameters = escapeHtml(JSON.stringify(opened.parameters));
      return page(
        `<div data-bridge="${parameters}" data-back="/cashier/${payment.payment_no}/return"><p role="status">${text('bridge')}</p>
           <button class="primary" type="button">${text('pay')} ${amountOf(payment)}</button></div>`,
        { script: bridgeScript() },
      );
    } catch (error) {
      if (!(error instanceof ShopError)) throw error;
      if (error.cause)
        request.log.error({ id: request.id, method: provider.code, err: error.cause }, 'no payment page');
      const isUnavailable = error.code === ErrorCode.PaymentMethodUnavailable;
      if (isUnavailable) reply.code(502);
      else if (error.code === ErrorCode.TooManyRequests) reply.code(429);
      const again = isUnavailable ? `<a class="button primary" href="">${text('again')}</a>` : '';
      return page(`<p role="alert">${messageOf(error.code, lang)}</p>${again}`);
    }
  });

  /** The shopper returns from the provider's page, possibly before the notice, so the provider is asked. */
  app.get('/cashier/:payment_no/return', { schema: { params } }, async (request, reply) => {
    const payment = await remotePayment(context, request.params.payment_no);
    if (!payment) return reply.redirect('/', 303);
    const asks = await hit(context.db, `cashier-return:${payment.payment_no}`, 600);
    if (payment.state === 'pending' && payment.opened && asks <= MAX_RETURNS) {
      await askProvider(context, payment).catch((error) =>
        request.log.warn({ id: request.id, method: payment.method, err: error }, 'the provider did not answer'),
      );
    }
    notePaid(request, await remotePayment(context, payment.payment_no));
    return reply.redirect(returnPath(payment), 303);
  });

  if (!sandbox) return;
  app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    scope.post('/cashier/:payment_no', { schema: { params } }, async (request, reply) => {
      const { payment_no } = request.params as { payment_no: string };
      const { action } = (request.body ?? {}) as { action?: string };
      const payment = await remotePayment(context, payment_no);
      if (!payment || payment.method !== sandbox.code) return reply.redirect(`/cashier/${payment_no}`, 303);
      await app.inject({
        method: 'POST',
        url: `/api/front/payment/callback/${sandbox.code}`,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(sandbox.notice(payment, action === 'pay')),
      });
      notePaid(request, await remotePayment(context, payment_no));
      return reply.redirect(returnPath(payment), 303);
    });
  });
};

function notePaid(request: FastifyRequest, payment: RemotePayment | undefined): void {
  if (payment?.state === 'paid' && payment.order_no) request.step = 'paid';
}

const amountOf = ({ amount, currency }: RemotePayment) => formatAmount(amount, currency);
const localeOf = (text: string | undefined): Locale => (text === 'en' ? 'en' : 'zh-CN');
const returnPath = ({ order_no }: RemotePayment) =>
  order_no ? `/#/pages/order/pay-success?id=${order_no}` : '/user/wallet';

function browserOf(userAgent: string): BrowserKind {
  if (/MicroMessenger/i.test(userAgent)) return 'wechat';
  return /Mobi|Android|iPhone|iPad/i.test(userAgent) ? 'mobile' : 'desktop';
}
