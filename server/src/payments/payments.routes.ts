import { ErrorCode } from '@shop/shared/domain';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { DomainRoutes } from '../context';
import { errorEnvelope, ok } from '../platform/http/envelope';
import { type AnyErrorCode, ShopError, shopErrorOf } from '../platform/http/errors';
import { withIdempotency, withStoredResult } from '../platform/http/idempotency';
import { signedIn, signedInIdempotent, viewerOf } from '../platform/http/request';
import { answer } from '../platform/http/schemas';
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
  WalletProofBodySchema,
  WalletProofSchema,
} from './payments.schemas';
import { payByBalance, paymentMethods, paymentStatus, payOnline, toBalancePayment } from './payments.service';
import { takeAnyNotice } from './provider-notices.service';
import { proveForWallet } from './wallet-proof.service';

export const paymentsRoutes: DomainRoutes = async (app, { context, reads, personReads }) => {
  const { db, providers } = context;
  const notices = db.as('notice', '');
  app.get(
    '/api/front/payment/methods',
    { schema: { querystring: PaymentMethodsQuerySchema, response: answer(Type.Array(PaymentMethodSchema)) } },
    async (request) =>
      ok(
        request,
        await paymentMethods({ ...context, db: reads }, request.viewer, request.query.scene ?? 'order', request),
      ),
  );
  // A guest has no order to pay.
  personReads.offer(
    '/api/front/payment/methods',
    { query: PaymentMethodsQuerySchema, data: Type.Array(PaymentMethodSchema) },
    ({ scene = 'order' }, { viewer, ...view }) => paymentMethods({ ...context, db: reads }, viewer, scene, view),
  );
  app.post(
    '/api/front/payment/balance',
    { ...signedInIdempotent, schema: { body: BalancePaymentBodySchema, response: answer(BalancePaymentSchema) } },
    (request, reply) =>
      withStoredResult(
        db,
        request,
        reply,
        (call) => payByBalance(context, request.body.order_no, call, viewerOf(request)),
        toBalancePayment,
      ),
  );
  app.post(
    '/api/front/payment/proof',
    { ...signedIn, schema: { body: WalletProofBodySchema, response: answer(WalletProofSchema) } },
    async (request) => ok(request, await proveForWallet(context, viewerOf(request), request.body, request.ip)),
  );
  app.post(
    '/api/front/payment/online',
    { ...signedInIdempotent, schema: { body: OnlinePaymentBodySchema, response: answer(OnlinePaymentSchema) } },
    (request, reply) =>
      withIdempotency(db, request, reply, (sql) =>
        payOnline(context, sql, viewerOf(request), request.body, request.locale),
      ),
  );
  app.get(
    '/api/front/payment/status',
    { ...signedIn, schema: { querystring: PaymentStatusQuerySchema, response: answer(PaymentStatusSchema) } },
    async (request) => {
      const status = await paymentStatus(reads, viewerOf(request), request.query.payment_no);
      // The provider's notice has no visit: the page that waits for it has.
      if (status.state === 'paid' && status.scene === 'order') request.step = 'paid';
      return ok(request, status);
    },
  );

  // A signature is over the bytes as they were sent, so the body is kept as text here.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(
      '/api/front/payment/callback/:method',
      { schema: { params: PaymentCallbackParamsSchema, response: answer(PaymentCallbackAnswerSchema) } },
      async (request, reply) => {
        const { method } = request.params as { method: string };
        const provider = providers.payments.find((one) => one.code === method);
        if (!provider) throw new ShopError(ErrorCode.PaymentMethodUnavailable);
        const { acknowledgement, remote } = provider;
        // A provider takes any HTTP 200 as an acknowledgement.
        const refuse = (code: AnyErrorCode) => {
          if (!remote) throw new ShopError(code);
          request.shopCode = code;
          const body = JSON.stringify(errorEnvelope(request, code));
          return (reply as FastifyReply).code(400).type('application/json').send(body) as never;
        };
        const notice = provider.readNotice(typeof request.body === 'string' ? request.body : '', request.headers);
        if (!notice) return refuse(ErrorCode.Forbidden);
        let result: string = notice === 'nothing' ? notice : '';
        try {
          if (notice !== 'nothing') result = await takeAnyNotice(notices, method, notice);
        } catch (error) {
          const known = shopErrorOf(error);
          if (!known) throw error;
          // Genuine, but not as this shop has it: somebody must look at it.
          request.log.error({ id: request.id, method, notice, code: known.code }, 'notice refused');
          return refuse(known.code);
        }
        if (acknowledgement) return reply.type(acknowledgement.type).send(acknowledgement.body) as never;
        return ok(request, { result });
      },
    );
  });
};
