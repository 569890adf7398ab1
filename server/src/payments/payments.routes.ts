import { ErrorCode } from '@shop/shared/domain';
import type { FastifyReply } from 'fastify';
import type { DomainRoutes } from '../context';
import { callsOf } from '../platform/http/calls';
import { errorEnvelope, ok } from '../platform/http/envelope';
import { type AnyErrorCode, ShopError, shopErrorOf } from '../platform/http/errors';
import { withIdempotency, withStoredResult } from '../platform/http/idempotency';
import { answer } from '../platform/http/schemas';
import {
  balanceCall,
  methodsCall,
  onlineCall,
  PaymentCallbackAnswerSchema,
  PaymentCallbackParamsSchema,
  proofCall,
  statusCall,
} from './payments.schemas';
import { payByBalance, paymentMethods, paymentStatus, payOnline, toBalancePayment } from './payments.service';
import { handleNotice } from './provider-notices.service';
import { proveForWallet } from './wallet-proof.service';

export const paymentsRoutes: DomainRoutes = async (app, { context, reads, userReads }) => {
  const { guest, user } = callsOf(app);
  const { db, providers } = context;
  const notices = db.as('notice', '');
  guest.get('/api/front/payment/methods', methodsCall, async ({ viewer, query, request }) =>
    paymentMethods({ ...context, db: reads }, viewer, query.scene ?? 'order', request),
  );
  userReads.offer('/api/front/payment/methods', methodsCall, ({ scene = 'order' }, { viewer, ...view }) =>
    paymentMethods({ ...context, db: reads }, viewer, scene, view),
  );
  user.postOnce('/api/front/payment/balance', balanceCall, ({ viewer, body, request, reply }) =>
    withStoredResult(db, request, reply, toBalancePayment, (call) =>
      payByBalance(context, body.order_no, call, viewer),
    ),
  );
  user.post('/api/front/payment/proof', proofCall, async ({ viewer, body, request }) =>
    proveForWallet(context, viewer, body, request.ip),
  );
  user.postOnce('/api/front/payment/online', onlineCall, ({ viewer, body, locale, request, reply }) =>
    withIdempotency(db, request, reply, (sql) => payOnline(context, sql, viewer, body, locale)),
  );
  user.get('/api/front/payment/status', statusCall, async ({ viewer, query, request }) => {
    const status = await paymentStatus(reads, viewer, query.payment_no);
    if (status.state === 'paid' && status.scene === 'order') request.step = 'paid';
    return status;
  });

  // The signature covers the bytes as sent, so the body is kept as text here.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(
      '/api/front/payment/callback/:method',
      { schema: { params: PaymentCallbackParamsSchema, response: answer(PaymentCallbackAnswerSchema) } },
      async (request, reply) => {
        const { method } = request.params as { method: string };
        const provider = providers.payments.find((candidate) => candidate.code === method);
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
          if (notice !== 'nothing') result = await handleNotice(notices, method, notice);
        } catch (error) {
          const shopError = shopErrorOf(error);
          if (!shopError) throw error;
          // The notice is genuine but contradicts the shop's data, so operators must look at it.
          request.log.error({ id: request.id, method, notice, code: shopError.code }, 'notice refused');
          return refuse(shopError.code);
        }
        if (acknowledgement) return reply.type(acknowledgement.type).send(acknowledgement.body) as never;
        return ok(request, { result });
      },
    );
  });
};
