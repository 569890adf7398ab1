import { Type } from 'typebox';
import { type App, ok, type Shop, signedIn, signedInOnce, viewerOf } from '../app/context';
import { ShopError } from '../app/errors';
import { once, onceInOneCall } from '../app/idempotency';
import { answer } from '../app/schema';
import {
  BalancePaymentBodySchema,
  BalancePaymentSchema,
  OnlinePaymentBodySchema,
  OnlinePaymentSchema,
  PaymentCallbackAnswerSchema,
  PaymentCallbackParamsSchema,
  PaymentMethodSchema,
  PaymentMethodsQuerySchema,
  PaymentStatusQuerySchema,
  PaymentStatusSchema,
} from './payments.schemas';
import { payByBalance, paymentMethods, paymentStatus, payOnline, takeNotice } from './payments.service';

export function paymentsRoutes(app: App, shop: Shop): void {
  const { db, providers } = shop;
  app.get(
    '/api/front/payment/methods',
    { schema: { querystring: PaymentMethodsQuerySchema, response: answer(Type.Array(PaymentMethodSchema)) } },
    async (request) => ok(request, await paymentMethods(shop, request.viewer, request.query.scene ?? 'order', request)),
  );
  app.post(
    '/api/front/payment/balance',
    { ...signedInOnce, schema: { body: BalancePaymentBodySchema, response: answer(BalancePaymentSchema) } },
    (request, reply) =>
      onceInOneCall(shop, request, reply, (keyed) =>
        payByBalance(db, viewerOf(request), request.body.order_no, request.locale, keyed),
      ),
  );
  app.post(
    '/api/front/payment/online',
    { ...signedInOnce, schema: { body: OnlinePaymentBodySchema, response: answer(OnlinePaymentSchema) } },
    (request, reply) =>
      once(shop, request, reply, (sql) => payOnline(shop, sql, viewerOf(request), request.body, request.locale)),
  );
  app.get(
    '/api/front/payment/status',
    { ...signedIn, schema: { querystring: PaymentStatusQuerySchema, response: answer(PaymentStatusSchema) } },
    async (request) => ok(request, await paymentStatus(db, viewerOf(request), request.query.payment_no)),
  );

  // A signature is over the bytes as they were sent, so the body is kept as text here.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(
      '/api/front/payment/callback/:method',
      { schema: { params: PaymentCallbackParamsSchema, response: answer(PaymentCallbackAnswerSchema) } },
      async (request) => {
        const { method } = request.params as { method: string };
        const provider = providers.payments.find((one) => one.code === method);
        if (!provider) throw new ShopError(45010);
        const notice = provider.readNotice(typeof request.body === 'string' ? request.body : '', request.headers);
        if (!notice) throw new ShopError(403);
        return ok(request, { result: await takeNotice(db, method, notice) });
      },
    );
  });
}
