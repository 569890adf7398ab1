import { ErrorCode } from '@shop/shared/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { confirmUser } from '../accounts/auth/auth.service';
import { showsCodesOf } from '../accounts/sessions/sessions.service';
import type { DomainRoutes } from '../context';
import { callsOf } from '../platform/http/calls';
import { ok } from '../platform/http/envelope';
import { ShopError } from '../platform/http/errors';
import { withStoredResult } from '../platform/http/idempotency';
import { limitRate } from '../platform/http/rate-limit';
import { type Viewer, viewerOf } from '../platform/http/request';
import { answer } from '../platform/http/schemas';
import { channelsOf } from '../providers/providers';
import { answerQuestion, applyForRefund, cancelOrder, deleteOrder, orderAgain } from './change-order.service';
import { orderNotices, readNotices } from './order-notices.service';
import {
  againCall,
  answerCall,
  createCall,
  infoCall,
  listCall,
  OrderCardsBodySchema,
  OrderCardsQuerySchema,
  OrderCardsSchema,
  OrderNoticesSchema,
  previewCall,
  RecentOrderSchema,
  readNoticesCall,
  refundApplyCall,
  stateCall,
} from './orders.schemas';
import { createOrder, toOrderCreated } from './place-order.service';
import { previewOrder } from './quote.service';
import { type OrderDetail, OrderLookup, orderInfo, orderList, ownOrder, recentOrders } from './read-orders.service';
import { redeemSteps, revealCards } from './reveal-cards.service';

const REVEALS_PER_HOUR = 30;
const JUST_PAID_MS = 15 * 60_000;
const isOrderNo = (text: unknown): text is string => typeof text === 'string' && /^[0-9A-Za-z]{8,40}$/.test(text);

export const ordersRoutes: DomainRoutes = async (app, { context, reads, userReads }) => {
  const { user } = callsOf(app);
  const { db } = context;
  const tells = channelsOf(context.providers).length > 0;
  const orders = new OrderLookup(reads, context.config.sessionIdleSeconds);
  const ordersOfRequests = new WeakMap<FastifyRequest, OrderDetail>();
  const findSession = async (tokenHash: Buffer, request: FastifyRequest) => {
    // The query is not validated against the schema yet.
    const { order_no: orderNo } = request.query as { order_no?: unknown };
    const { session, order } = await orders.find({ tokenHash, orderNo: isOrderNo(orderNo) ? orderNo : '' });
    if (order) ordersOfRequests.set(request, order);
    return session;
  };
  user.post('/api/front/order/preview', previewCall, async ({ viewer, body, request }) =>
    previewOrder(reads, viewer, body, request),
  );
  user.postOnce('/api/front/order/create', createCall, ({ viewer, body, request, reply }) =>
    withStoredResult(db, request, reply, toOrderCreated, (call) =>
      createOrder(context, viewer, body, request, call, request.ip),
    ),
  );
  userReads.serve(app, '/api/front/order/list', listCall, (query, { viewer, locale }) =>
    orderList(reads, viewer, query, locale),
  );
  const finderOf =
    ({ tokenHash }: Viewer, orderNo: string) =>
    async () =>
      (await orders.find({ tokenHash, orderNo })).order;
  user.get(
    '/api/front/order/info',
    { ...infoCall, config: { findSession } },
    async ({ viewer, query, locale, request }) => {
      const find = finderOf(viewer, query.order_no);
      const order = await orderInfo(reads, ordersOfRequests.get(request), find, { locale, tells });
      // The funnel step is noted here because the provider's notice belongs to no visit; this page waits for it.
      if (order.paid_at && Date.now() - Date.parse(order.paid_at) < JUST_PAID_MS) request.step = 'paid';
      return order;
    },
  );
  // The response has no codes; these have a separate call.
  userReads.offer('/api/front/order/info', infoCall, async ({ order_no }, { viewer, locale }) => {
    const find = finderOf(viewer, order_no);
    return orderInfo(reads, await find(), find, { locale, tells });
  });
  user.post('/api/front/order/cancel', stateCall, async ({ viewer, body }) => cancelOrder(db, viewer, body.order_no));
  user.post('/api/front/order/delete', stateCall, async ({ viewer, body }) => deleteOrder(db, viewer, body.order_no));
  user.post('/api/front/order/refundApply', refundApplyCall, async ({ viewer, body }) => {
    const { order_no, reason = '' } = body;
    return db.withTransaction((sql) => applyForRefund(sql, viewer, order_no, reason));
  });
  user.post('/api/front/order/answer', answerCall, async ({ viewer, body }) => {
    const { order_no, answer: text } = body;
    const { keyring } = context;
    return db.withTransaction((sql) => answerQuestion(sql, keyring, viewer, order_no, text.trim()));
  });
  user.post('/api/front/order/again', againCall, async ({ viewer, body }) => orderAgain(db, viewer, body.order_no));
  user.get('/api/front/order/recent', { data: Type.Array(RecentOrderSchema) }, async ({ viewer, request }) =>
    recentOrders(reads, viewer, request),
  );
  userReads.serve(app, '/api/front/order/notices', { data: OrderNoticesSchema }, (_query, { viewer, locale }) =>
    orderNotices(reads, viewer, locale),
  );
  user.post('/api/front/order/notices/read', readNoticesCall, async ({ viewer, body }) => ({
    unread: await readNotices(db, viewer, body.last_id),
  }));
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
