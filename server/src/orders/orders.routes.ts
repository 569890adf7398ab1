import { ErrorCode } from '@shop/shared/domain';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { confirmUser } from '../accounts/auth/auth.service';
import { showsCodesOf } from '../accounts/sessions/sessions.service';
import type { DomainRoutes } from '../context';
import { callsOf } from '../platform/http/calls';
import { ok } from '../platform/http/envelope';
import { ShopError } from '../platform/http/errors';
import { withStoredResult } from '../platform/http/idempotency';
import { limitRate } from '../platform/http/rate-limit';
import { viewerOf } from '../platform/http/request';
import { answer } from '../platform/http/schemas';
import { channelsOf } from '../providers/channels';
import { answerQuestion, applyForRefund, cancelOrder, deleteOrder, orderAgain } from './change-order.service';
import { orderNotices, readNotices } from './order-notices.service';
import { previewOrder } from './order-preview.service';
import {
  OrderAgainSchema,
  OrderAnswerBodySchema,
  OrderCardsBodySchema,
  OrderCardsQuerySchema,
  OrderCardsSchema,
  OrderCreateBodySchema,
  OrderCreatedSchema,
  OrderInfoSchema,
  OrderListQuerySchema,
  OrderNoBodySchema,
  OrderNoQuerySchema,
  OrderNoticesSchema,
  OrderPageSchema,
  OrderPreviewBodySchema,
  OrderPreviewSchema,
  OrderStateSchema,
  ReadNoticesBodySchema,
  RecentOrderSchema,
  RefundApplyBodySchema,
  UnreadNoticesSchema,
} from './orders.schemas';
import { ownOrder } from './own-order.service';
import { createOrder, toOrderCreated } from './place-order.service';
import { orderInfo, orderList } from './read-orders.service';
import { recentOrders } from './recent-orders.service';
import { redeemSteps, revealCards } from './reveal-cards.service';

const REVEALS_PER_HOUR = 30;
const JUST_PAID_MS = 15 * 60_000;

export const ordersRoutes: DomainRoutes = async (app, { context, reads, userReads }) => {
  const { user } = callsOf(app);
  const { db } = context;
  const tells = channelsOf(context.providers).length > 0;
  user.post(
    '/api/front/order/preview',
    { body: OrderPreviewBodySchema, data: OrderPreviewSchema },
    async ({ viewer, body, request }) => previewOrder(reads, viewer, body, request),
  );
  user.postOnce(
    '/api/front/order/create',
    { body: OrderCreateBodySchema, data: OrderCreatedSchema },
    ({ viewer, body, request, reply }) =>
      withStoredResult(
        db,
        request,
        reply,
        (call) => createOrder(context, viewer, body, request, call, request.ip),
        toOrderCreated,
      ),
  );
  userReads.serve(
    app,
    '/api/front/order/list',
    { query: OrderListQuerySchema, data: OrderPageSchema },
    (query, { viewer, locale }) => orderList(reads, viewer, query, locale),
  );
  user.get(
    '/api/front/order/info',
    { query: OrderNoQuerySchema, data: OrderInfoSchema },
    async ({ viewer, query, locale, request }) => {
      const order = await orderInfo(reads, viewer, query.order_no, { locale, tells });
      // The funnel step is noted here because the provider's notice belongs to no visit; this page waits for it.
      if (order.paid_at && Date.now() - Date.parse(order.paid_at) < JUST_PAID_MS) request.step = 'paid';
      return order;
    },
  );
  // The response has no codes; these have a separate call.
  userReads.offer(
    '/api/front/order/info',
    { query: OrderNoQuerySchema, data: OrderInfoSchema },
    ({ order_no }, { viewer, locale }) => orderInfo(reads, viewer, order_no, { locale, tells }),
  );
  user.post('/api/front/order/cancel', { body: OrderNoBodySchema, data: OrderStateSchema }, async ({ viewer, body }) =>
    cancelOrder(db, viewer, body.order_no),
  );
  user.post('/api/front/order/delete', { body: OrderNoBodySchema, data: OrderStateSchema }, async ({ viewer, body }) =>
    deleteOrder(db, viewer, body.order_no),
  );
  user.post(
    '/api/front/order/refundApply',
    { body: RefundApplyBodySchema, data: OrderStateSchema },
    async ({ viewer, body }) => {
      const { order_no, reason = '' } = body;
      return db.withTransaction((sql) => applyForRefund(sql, viewer, order_no, reason));
    },
  );
  user.post(
    '/api/front/order/answer',
    { body: OrderAnswerBodySchema, data: OrderStateSchema },
    async ({ viewer, body }) => {
      const { order_no, answer: text } = body;
      const { keyring } = context;
      return db.withTransaction((sql) => answerQuestion(sql, keyring, viewer, order_no, text.trim()));
    },
  );
  user.post('/api/front/order/again', { body: OrderNoBodySchema, data: OrderAgainSchema }, async ({ viewer, body }) =>
    orderAgain(db, viewer, body.order_no),
  );
  user.get('/api/front/order/recent', { data: Type.Array(RecentOrderSchema) }, async ({ viewer, request }) =>
    recentOrders(reads, viewer, request),
  );
  userReads.serve(app, '/api/front/order/notices', { data: OrderNoticesSchema }, (_query, { viewer, locale }) =>
    orderNotices(reads, viewer, locale),
  );
  user.post(
    '/api/front/order/notices/read',
    { body: ReadNoticesBodySchema, data: UnreadNoticesSchema },
    async ({ viewer, body }) => ({ unread: await readNotices(db, viewer, body.last_id) }),
  );
  app.post(
    '/api/front/order/cards',
    {
      config: { access: 'user' },
      schema: { body: OrderCardsBodySchema, querystring: OrderCardsQuerySchema, response: answer(OrderCardsSchema) },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const { order_no, ...proof } = request.body;
      const order = await ownOrder(db, viewer, order_no);
      const isProof = Boolean(proof.password || proof.verify);
      if (!isProof && !(await showsCodesOf(db, viewer, order.order_no)))
        throw new ShopError(ErrorCode.VerificationRequired);
      await limitRate(db, `reveal:${viewer.id}`, REVEALS_PER_HOUR, 3600);
      if (isProof) await confirmUser(context, viewer, 'cards', proof, request.ip);
      const cards = await revealCards(context, viewer, order, request.ip);
      reply.header('cache-control', 'no-store');
      if ((request.body.format ?? request.query.format) !== 'txt')
        return ok(request, { cards, redeem: await redeemSteps(db, order.goods_id, request.locale) });
      const text = cards.map((card) => [card.card_no, card.card_pwd].filter(Boolean).join('\t')).join('\r\n');
      reply.header('content-disposition', `attachment; filename="${order.order_no}.txt"`);
      return (reply.type('text/plain; charset=utf-8') as FastifyReply).send(`${text}\r\n`) as never;
    },
  );
};
