import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import { colleagues, giveBack, handOver, takeOrder } from './claims.service';
import {
  AskBodySchema,
  ColleaguesSchema,
  DeliverBodySchema,
  FieldsSchema,
  HandOverBodySchema,
  QueueOrderBodySchema,
  QueueSchema,
  RefuseBodySchema,
  RefuseRefundBodySchema,
  TakenSchema,
} from './queue.schemas';
import { ask, deliver, openOrderFields, queue, refundTaken, refuseRefund } from './queue.service';
import { StaffRefundSchema } from './refunds.schemas';
import { StaffDoneSchema } from './staff.schemas';
import { serves, staffOf } from './staff-access';

const seller = serves('seller');
const done = { done: true };

/** Orders that wait for a person. */
export function queueRoutes(app: App, { context, reads }: Pick<DomainOptions, 'context' | 'reads'>): void {
  const { db } = context;
  app.get('/staff/api/queue', { ...seller, schema: { response: answer(QueueSchema) } }, async (request) =>
    ok(request, await queue(reads, staffOf(request), request.locale)),
  );
  app.get('/staff/api/colleagues', { ...seller, schema: { response: answer(ColleaguesSchema) } }, async (request) =>
    ok(request, await colleagues(reads, staffOf(request))),
  );
  app.post(
    '/staff/api/queue/take',
    { ...seller, schema: { body: QueueOrderBodySchema, response: answer(TakenSchema) } },
    async (request) => {
      const until = await db.withTransaction((sql) => takeOrder(sql, staffOf(request), request.body.order_no));
      return ok(request, { until: until.toISOString() });
    },
  );
  app.post(
    '/staff/api/queue/give-back',
    { ...seller, schema: { body: QueueOrderBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await db.withTransaction((sql) => giveBack(sql, staffOf(request), request.body.order_no));
      return ok(request, done);
    },
  );
  app.post(
    '/staff/api/queue/hand-over',
    { ...seller, schema: { body: HandOverBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      const { order_no: orderNo, to } = request.body;
      await db.withTransaction((sql) => handOver(sql, staffOf(request), orderNo, to));
      return ok(request, done);
    },
  );
  app.post(
    '/staff/api/queue/fields',
    { ...seller, schema: { body: QueueOrderBodySchema, response: answer(FieldsSchema) } },
    async (request) => ok(request, { fields: await openOrderFields(context, staffOf(request), request.body.order_no) }),
  );
  app.post(
    '/staff/api/queue/ask',
    { ...seller, schema: { body: AskBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await ask(context, staffOf(request), request.body.order_no, request.body.question.trim());
      return ok(request, done);
    },
  );
  app.post(
    '/staff/api/queue/deliver',
    { ...seller, schema: { body: DeliverBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await deliver(context, staffOf(request), request.body);
      return ok(request, done);
    },
  );
  app.post(
    '/staff/api/queue/refund',
    { ...seller, schema: { body: RefuseBodySchema, response: answer(StaffRefundSchema) } },
    async (request) => ok(request, await refundTaken(context, staffOf(request), request.body)),
  );
  app.post(
    '/staff/api/queue/refuse-refund',
    { ...seller, schema: { body: RefuseRefundBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await refuseRefund(context, staffOf(request), request.body.order_no, request.body.reason);
      return ok(request, done);
    },
  );
}
