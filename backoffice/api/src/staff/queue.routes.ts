import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { callsFor } from './calls';
import { giveBack, takeOrder } from './claims.service';
import {
  AskBodySchema,
  DeliverBodySchema,
  FieldsSchema,
  QueueOrderBodySchema,
  QueueSchema,
  RefuseBodySchema,
  RefuseRefundBodySchema,
  TakenSchema,
} from './queue.schemas';
import { ask, deliver, openOrderFields, queue, refundTaken, refuseRefund } from './queue.service';
import { StaffRefundSchema } from './refunds.schemas';

/** Orders that wait for a person. */
export function queueRoutes(app: App, { context, reads }: DomainOptions): void {
  const { db } = context;
  const { get, post } = callsFor(app, 'seller');
  get('queue', { answer: QueueSchema }, ({ staff, locale }) => queue(reads, staff, locale));
  post('queue/take', { body: QueueOrderBodySchema, answer: TakenSchema }, async ({ body, staff }) => {
    const until = await db.withTransaction((sql) => takeOrder(sql, staff, body.order_no));
    return { until: until.toISOString() };
  });
  post('queue/give-back', { body: QueueOrderBodySchema }, ({ body, staff }) =>
    db.withTransaction((sql) => giveBack(sql, staff, body.order_no)),
  );
  post('queue/fields', { body: QueueOrderBodySchema, answer: FieldsSchema }, async ({ body, staff }) => ({
    fields: await openOrderFields(context, staff, body.order_no),
  }));
  post('queue/ask', { body: AskBodySchema }, ({ body, staff }) =>
    ask(context, staff, body.order_no, body.question.trim()),
  );
  post('queue/deliver', { body: DeliverBodySchema }, ({ body, staff }) => deliver(context, staff, body));
  post('queue/refund', { body: RefuseBodySchema, answer: StaffRefundSchema }, ({ body, staff }) =>
    refundTaken(context, staff, body),
  );
  post('queue/refuse-refund', { body: RefuseRefundBodySchema }, ({ body, staff }) =>
    refuseRefund(context, staff, body.order_no, body.reason),
  );
}
